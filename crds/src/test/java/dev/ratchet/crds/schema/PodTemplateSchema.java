/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.schema;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The schema of a pod template: the members that people set, each described, without the schema below them. The whole
 * schema of Kubernetes is 150 kB for each use. No level drops what is not listed: the operator refuses by name what
 * Kubernetes does not know or the administrator does not allow, where the API server would forget it silently.
 */
final class PodTemplateSchema {
    private static final String KEEPS_UNKNOWN = "x-kubernetes-preserve-unknown-fields";

    private PodTemplateSchema() {}

    static ObjectNode schema() {
        ObjectNode template = JsonNodeFactory.instance.objectNode();
        template.put("type", "object").put(KEEPS_UNKNOWN, true);
        ObjectNode parts = template.putObject("properties");
        ObjectNode metadata =
                open(parts, "metadata", "Labels and annotations of the pod.").putObject("properties");
        stringMap(metadata, "labels", "Labels to add; those of Ratchet are reserved.");
        stringMap(metadata, "annotations", "Annotations to add; those of Ratchet are reserved.");
        ObjectNode spec = open(parts, "spec", "What the pod should be.").putObject("properties");
        containers(spec, "containers", "Containers to merge by name, or to add beside ours.");
        containers(spec, "initContainers", "Init containers to add, in this order, before ours.");
        listMap(spec, "volumes", "Volumes to add; the names of those of Ratchet are reserved.", "name");
        stringMap(spec, "nodeSelector", "Labels that the node must have.");
        opaque(spec, "affinity", "Rules about nodes and about other pods.");
        opaqueList(spec, "tolerations", "Taints of nodes that the pod accepts.");
        opaqueList(spec, "topologySpreadConstraints", "How pods are spread over zones and nodes.");
        opaque(spec, "securityContext", "Security settings of the pod, merged with the restricted ones of Ratchet.");
        listMap(spec, "imagePullSecrets", "Secrets used to pull images.", "name");
        text(
                spec,
                "serviceAccountName",
                "Service account of the pod; another than default only where the operator allows it.");
        text(spec, "priorityClassName", "Priority class of the pod.");
        text(spec, "runtimeClassName", "Runtime class of the pod.");
        text(spec, "schedulerName", "Scheduler that places the pod.");
        text(spec, "dnsPolicy", "How the pod resolves names.");
        opaque(spec, "dnsConfig", "Further settings of name resolution.");
        opaqueList(spec, "hostAliases", "Lines to add to /etc/hosts.");
        opaqueList(spec, "resourceClaims", "Claims of dynamic resources, such as GPUs.");
        return template;
    }

    private static void containers(ObjectNode spec, String name, String description) {
        ObjectNode container = listMap(spec, name, description, "name");
        ObjectNode members = (ObjectNode) container.required("properties");
        text(members, "image", "Image of the container; that of ours is set by version or image.");
        text(members, "imagePullPolicy", "When to pull the image.");
        texts(members, "command", "Command of an added container; reserved for ours.");
        texts(members, "args", "Arguments of an added container; reserved for ours.");
        text(members, "workingDir", "Working directory of an added container; reserved for ours.");
        listMap(
                members,
                "env",
                "Variables to add; of those named RATCHET_* only _JAVA_OPTIONS, _LEASE and _LOG_LEVEL.",
                "name");
        opaqueList(members, "envFrom", "ConfigMaps and Secrets whose keys become variables.");
        opaque(members, "resources", "Compute resources; for ours prefer the field resources beside podTemplate.");
        listMap(members, "volumeMounts", "Where volumes are mounted; our paths are reserved.", "mountPath");
        opaqueList(members, "ports", "Ports of an added container.");
        opaque(members, "securityContext", "Security settings, merged with the restricted ones of Ratchet.");
        opaque(members, "livenessProbe", "Probe of an added container; reserved for ours.");
        opaque(members, "readinessProbe", "Probe of an added container; reserved for ours.");
        opaque(members, "startupProbe", "Probe of an added container; reserved for ours.");
        opaque(members, "lifecycle", "Hooks of an added container; reserved for ours.");
        text(members, "restartPolicy", "Always makes an init container a sidecar.");
        text(members, "terminationMessagePath", "File that the last words of the container are read from.");
        text(members, "terminationMessagePolicy", "Whether the log serves as last words.");
    }

    private static ObjectNode object(ObjectNode parent, String name, String description) {
        return parent.putObject(name).put("type", "object").put("description", description);
    }

    private static ObjectNode open(ObjectNode parent, String name, String description) {
        return object(parent, name, description).put(KEEPS_UNKNOWN, true);
    }

    private static void opaque(ObjectNode parent, String name, String description) {
        open(parent, name, description);
    }

    private static ObjectNode list(ObjectNode parent, String name, String description) {
        return parent.putObject(name)
                .put("type", "array")
                .put("maxItems", 100)
                .put("description", description)
                .putObject("items");
    }

    private static void opaqueList(ObjectNode parent, String name, String description) {
        list(parent, name, description).put("type", "object").put(KEEPS_UNKNOWN, true);
        ((ObjectNode) parent.required(name)).put("x-kubernetes-list-type", "atomic");
    }

    private static ObjectNode listMap(ObjectNode parent, String name, String description, String key) {
        ObjectNode items = list(parent, name, description).put("type", "object").put(KEEPS_UNKNOWN, true);
        items.putArray("required").add(key);
        text(items.putObject("properties"), key, "Tells the items apart.");
        ObjectNode list = (ObjectNode) parent.required(name);
        list.put("x-kubernetes-list-type", "map")
                .putArray("x-kubernetes-list-map-keys")
                .add(key);
        return items;
    }

    private static void text(ObjectNode parent, String name, String description) {
        parent.putObject(name).put("type", "string").put("maxLength", 1024).put("description", description);
    }

    private static void texts(ObjectNode parent, String name, String description) {
        list(parent, name, description).put("type", "string").put("maxLength", 8192);
        ((ObjectNode) parent.required(name)).put("x-kubernetes-list-type", "atomic");
    }

    private static void stringMap(ObjectNode parent, String name, String description) {
        object(parent, name, description)
                .put("maxProperties", 100)
                .putObject("additionalProperties")
                .put("type", "string")
                .put("maxLength", 8192);
    }
}
