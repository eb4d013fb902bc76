/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceFieldSelector;
import io.fabric8.kubernetes.api.model.Secret;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Computes the environment of a container: literal values with {@code $(NAME)} expanded, the downward API, keys of
 * ConfigMaps and Secrets. Values are as a container would see them; paths are translated later.
 */
final class ContainerEnvironment {

    private static final Pattern REFERENCE = Pattern.compile("\\$(\\$|\\(([A-Za-z_.-][A-Za-z0-9_.-]*)\\))");
    private static final Pattern SUBSCRIPT = Pattern.compile("metadata\\.(labels|annotations)\\['(.+)'\\]");
    private static final String CONFIG_ERROR = "CreateContainerConfigError";

    private final Pod pod;
    private final String podIp;
    private final PodSources sources;
    private final KubeletOptions node;

    ContainerEnvironment(Pod pod, String podIp, PodSources sources, KubeletOptions node) {
        this.pod = pod;
        this.podIp = podIp;
        this.sources = sources;
        this.node = node;
    }

    /** The variables in the order in which they are declared; later ones win. */
    Map<String, String> of(Container container) throws NotReadyException {
        Map<String, String> variables = new LinkedHashMap<>();
        for (EnvFromSource source : container.getEnvFrom()) {
            addAll(source, variables);
        }
        for (EnvVar variable : container.getEnv()) {
            EnvVarSource from = variable.getValueFrom();
            String value = from == null ? expand(orEmpty(variable.getValue()), variables) : resolve(from, container);
            if (value != null) {
                variables.put(variable.getName(), value);
            }
        }
        return variables;
    }

    /** {@code $(NAME)} becomes the variable's value, {@code $$} a dollar; a name that is not there stays as it is. */
    static String expand(String text, Map<String, String> variables) {
        return REFERENCE.matcher(text).replaceAll(match -> {
            String replacement = match.group(2) == null ? "$" : variables.getOrDefault(match.group(2), match.group());
            return Matcher.quoteReplacement(replacement);
        });
    }

    private void addAll(EnvFromSource source, Map<String, String> variables) throws NotReadyException {
        String prefix = orEmpty(source.getPrefix());
        if (source.getConfigMapRef() != null) {
            ConfigMap map =
                    sources.configMap(namespace(), source.getConfigMapRef().getName());
            if (map == null && !Boolean.TRUE.equals(source.getConfigMapRef().getOptional())) {
                throw missing("configmap", source.getConfigMapRef().getName());
            }
            if (map != null && map.getData() != null) {
                map.getData().forEach((key, value) -> variables.put(prefix + key, value));
            }
        }
        if (source.getSecretRef() != null) {
            Secret secret = sources.secret(namespace(), source.getSecretRef().getName());
            if (secret == null && !Boolean.TRUE.equals(source.getSecretRef().getOptional())) {
                throw missing("secret", source.getSecretRef().getName());
            }
            if (secret != null && secret.getData() != null) {
                secret.getData().forEach((key, value) -> variables.put(prefix + key, decode(value)));
            }
        }
    }

    private @Nullable String resolve(EnvVarSource source, Container container) throws NotReadyException {
        if (source.getFieldRef() != null) {
            return field(source.getFieldRef().getFieldPath());
        }
        if (source.getResourceFieldRef() != null) {
            return resource(source.getResourceFieldRef(), container);
        }
        if (source.getConfigMapKeyRef() != null) {
            var reference = source.getConfigMapKeyRef();
            ConfigMap map = sources.configMap(namespace(), reference.getName());
            String value =
                    map == null || map.getData() == null ? null : map.getData().get(reference.getKey());
            if (value == null && !Boolean.TRUE.equals(reference.getOptional())) {
                throw missing("key " + reference.getKey() + " of configmap", reference.getName());
            }
            return value;
        }
        if (source.getSecretKeyRef() != null) {
            var reference = source.getSecretKeyRef();
            Secret secret = sources.secret(namespace(), reference.getName());
            String value = secret == null || secret.getData() == null
                    ? null
                    : secret.getData().get(reference.getKey());
            if (value == null && !Boolean.TRUE.equals(reference.getOptional())) {
                throw missing("key " + reference.getKey() + " of secret", reference.getName());
            }
            return value == null ? null : decode(value);
        }
        throw new NotReadyException(
                CONFIG_ERROR, "a variable names a source that the local kubelet does not know: " + source);
    }

    private String field(String path) throws NotReadyException {
        Matcher subscript = SUBSCRIPT.matcher(path);
        if (subscript.matches()) {
            boolean isLabel = subscript.group(1).equals("labels");
            Map<String, String> values =
                    isLabel ? pod.getMetadata().getLabels() : pod.getMetadata().getAnnotations();
            return values == null ? "" : orEmpty(values.get(subscript.group(2)));
        }
        return switch (path) {
            case "metadata.name" -> pod.getMetadata().getName();
            case "metadata.namespace" -> namespace();
            case "metadata.uid" -> pod.getMetadata().getUid();
            case "spec.nodeName" -> orEmpty(pod.getSpec().getNodeName());
            case "spec.serviceAccountName" -> orEmpty(pod.getSpec().getServiceAccountName());
            case "status.podIP", "status.podIPs" -> podIp;
            case "status.hostIP", "status.hostIPs" -> "127.0.0.1";
            default -> throw new NotReadyException(CONFIG_ERROR, "no field " + path + " in the downward API");
        };
    }

    private String resource(ResourceFieldSelector selector, Container container) throws NotReadyException {
        String[] parts = selector.getResource().split("\\.", 2);
        var resources = container.getResources();
        Map<String, Quantity> of =
                resources == null ? null : parts[0].equals("limits") ? resources.getLimits() : resources.getRequests();
        Quantity quantity = of == null ? null : of.get(parts[parts.length - 1]);
        if (quantity == null) {
            quantity = switch (selector.getResource()) {
                case "limits.cpu" -> new Quantity(node.cpuMillis() + "m");
                case "limits.memory" -> new Quantity(Long.toString(node.memoryBytes()));
                case "requests.cpu", "requests.memory" -> new Quantity("0");
                default ->
                    throw new NotReadyException(CONFIG_ERROR, "no resource " + selector.getResource() + " to refer to");
            };
        }
        BigDecimal divisor = selector.getDivisor() == null
                ? BigDecimal.ZERO
                : selector.getDivisor().getNumericalAmount();
        BigDecimal unit = divisor.signum() == 0 ? BigDecimal.ONE : divisor;
        return quantity.getNumericalAmount()
                .divide(unit, 0, RoundingMode.CEILING)
                .toPlainString();
    }

    private NotReadyException missing(String what, String name) {
        return new NotReadyException(CONFIG_ERROR, what + " \"" + namespace() + "/" + name + "\" not found");
    }

    private String namespace() {
        return pod.getMetadata().getNamespace();
    }

    private static String decode(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
