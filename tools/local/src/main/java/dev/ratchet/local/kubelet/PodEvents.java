/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells in Events what happened to pods. The same thing said again raises the count of the Event that said it; the last
 * {@link #REMEMBERED_LIMIT} are known for that. Never throws: an event that can not be told is logged. Thread-safe.
 */
final class PodEvents {

    private static final Logger LOG = LoggerFactory.getLogger(PodEvents.class);
    private static final int REMEMBERED_LIMIT = 1000;

    private final KubernetesClient client;
    private final Map<String, Event> remembered = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Event> eldest) {
            return size() > REMEMBERED_LIMIT;
        }
    };

    PodEvents(KubernetesClient client) {
        this.client = client;
    }

    synchronized void add(Pod pod, String type, String reason, String message) {
        String namespace = pod.getMetadata().getNamespace();
        String key = pod.getMetadata().getUid() + "/" + reason + "/" + message;
        String now = ContainerStates.seconds(Instant.now());
        try {
            Event before = remembered.get(key);
            Event event = before == null
                    ? first(pod, type, reason, message, now)
                    : new EventBuilder(before)
                            .withCount(before.getCount() + 1)
                            .withLastTimestamp(now)
                            .build();
            var target = client.v1().events().inNamespace(namespace).resource(event);
            remembered.put(key, before == null ? target.create() : target.update());
        } catch (KubernetesClientException e) {
            remembered.remove(key);
            LOG.warn(
                    "an event can not be told: pod={} reason={} message={} cause={}",
                    pod.getMetadata().getName(),
                    reason,
                    message,
                    e.toString());
        }
    }

    private Event first(Pod pod, String type, String reason, String message, String now) {
        String node = Objects.requireNonNullElse(pod.getSpec().getNodeName(), "");
        return new EventBuilder()
                .withNewMetadata()
                .withGenerateName(pod.getMetadata().getName() + ".")
                .withNamespace(pod.getMetadata().getNamespace())
                .endMetadata()
                .withNewInvolvedObject()
                .withApiVersion("v1")
                .withKind("Pod")
                .withName(pod.getMetadata().getName())
                .withNamespace(pod.getMetadata().getNamespace())
                .withUid(pod.getMetadata().getUid())
                .endInvolvedObject()
                .withType(type)
                .withReason(reason)
                .withMessage(message)
                .withCount(1)
                .withFirstTimestamp(now)
                .withLastTimestamp(now)
                .withNewSource()
                .withComponent("kubelet")
                .withHost(node)
                .endSource()
                .withReportingComponent("kubelet")
                .withReportingInstance(node)
                .build();
    }
}
