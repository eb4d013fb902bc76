/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.chart;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.TreeNode;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds what a manifest says and one release of Kubernetes does not know. The client's models are generated from the
 * types of a release: those of the class path from 1.36, those of version 6.2.0, in a class loader of their own, from
 * 1.25. They know fields and their types, not which are required or which texts are allowed.
 */
final class UnknownFields {
    private static final String MODELS = "io.fabric8.kubernetes.api.model.";

    /** Kinds that the chart makes, by their class in the models; custom resources are not in them. */
    private static final Map<String, String> KINDS = Map.ofEntries(
            Map.entry("v1/Service", "Service"),
            Map.entry("v1/ServiceAccount", "ServiceAccount"),
            Map.entry("v1/ConfigMap", "ConfigMap"),
            Map.entry("v1/Pod", "Pod"),
            Map.entry("apps/v1/Deployment", "apps.Deployment"),
            Map.entry("policy/v1/PodDisruptionBudget", "policy.v1.PodDisruptionBudget"),
            Map.entry("policy/v1beta1/PodDisruptionBudget", "policy.v1beta1.PodDisruptionBudget"),
            Map.entry("networking.k8s.io/v1/NetworkPolicy", "networking.v1.NetworkPolicy"),
            Map.entry("rbac.authorization.k8s.io/v1/Role", "rbac.Role"),
            Map.entry("rbac.authorization.k8s.io/v1/RoleBinding", "rbac.RoleBinding"),
            Map.entry("rbac.authorization.k8s.io/v1/ClusterRole", "rbac.ClusterRole"),
            Map.entry("rbac.authorization.k8s.io/v1/ClusterRoleBinding", "rbac.ClusterRoleBinding"),
            Map.entry("apiextensions.k8s.io/v1/CustomResourceDefinition", "apiextensions.v1.CustomResourceDefinition"));

    private static final String CUSTOM = "monitoring.coreos.com/";

    private final ClassLoader models;

    private UnknownFields(ClassLoader models) {
        this.models = models;
    }

    /** As Kubernetes 1.36 has them. */
    static UnknownFields newest() {
        return new UnknownFields(UnknownFields.class.getClassLoader());
    }

    /** As Kubernetes 1.25 has them. */
    static UnknownFields oldest() {
        try (Stream<Path> jars = Files.list(Path.of("target/kubernetes-1.25"))) {
            Stream<Path> annotations = Stream.of(JsonProperty.class, JsonNode.class, TreeNode.class)
                    .map(type -> Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .getPath()));
            URL[] urls =
                    Stream.concat(jars, annotations).map(UnknownFields::url).toArray(URL[]::new);
            return new UnknownFields(new URLClassLoader(urls, ClassLoader.getPlatformClassLoader()));
        } catch (IOException e) {
            throw new UncheckedIOException("made by: ./mvnw -pl e2e process-test-resources", e);
        }
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The paths of what {@code manifest} has and its kind has not, or has with another type. */
    List<String> of(JsonNode manifest) {
        String kind = manifest.path("apiVersion").asText() + "/"
                + manifest.path("kind").asText();
        List<String> unknown = new ArrayList<>();
        if (!kind.startsWith(CUSTOM)) {
            String model = KINDS.get(kind);
            if (model == null) {
                return List.of(kind);
            }
            walk(manifest, model(model), manifest.path("kind").asText(), unknown);
        }
        return unknown;
    }

    private Class<?> model(String name) {
        try {
            return Class.forName(MODELS + name, false, models);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private void walk(JsonNode value, Type type, String path, List<String> unknown) {
        if (type instanceof ParameterizedType generic) {
            boolean map = Map.class.isAssignableFrom((Class<?>) generic.getRawType());
            if (map ? !value.isObject() : !value.isArray()) {
                unknown.add(path);
            } else if (map) {
                value.properties()
                        .forEach(entry -> walk(
                                entry.getValue(),
                                generic.getActualTypeArguments()[1],
                                path + "." + entry.getKey(),
                                unknown));
            } else {
                for (int i = 0; i < value.size(); i++) {
                    walk(value.get(i), generic.getActualTypeArguments()[0], path + "[" + i + "]", unknown);
                }
            }
        } else if (type instanceof Class<?> model && isModel(model)) {
            if (!value.isObject()) {
                unknown.add(path);
                return;
            }
            value.properties().forEach(member -> field(model, member.getKey())
                    .ifPresentOrElse(
                            field -> walk(
                                    member.getValue(), field.getGenericType(), path + "." + member.getKey(), unknown),
                            () -> unknown.add(path + "." + member.getKey())));
        } else if (!fits(value, type)) {
            unknown.add(path);
        }
    }

    /** Types with a reader of their own, such as quantities, are taken as they are. */
    private static boolean isModel(Class<?> type) {
        return type.getName().startsWith(MODELS)
                && !type.isEnum()
                && fields(type).anyMatch(field -> field.getName().equals("additionalProperties"))
                && !type.getSimpleName().matches("Quantity|IntOrString|JSONSchemaPropsOr.*");
    }

    private static boolean fits(JsonNode value, Type type) {
        return switch (type.getTypeName()) {
            case "java.lang.String" -> value.isTextual();
            case "java.lang.Integer", "java.lang.Long" -> value.isIntegralNumber();
            case "java.lang.Double" -> value.isNumber();
            case "java.lang.Boolean" -> value.isBoolean();
            default -> true;
        };
    }

    private static Optional<Field> field(Class<?> type, String name) {
        return fields(type)
                .filter(field -> name(field).equals(name))
                // Not where a model keeps what it does not know; a schema has a member of that name, which is no map.
                .filter(field -> !name.equals("additionalProperties") || !Map.class.isAssignableFrom(field.getType()))
                .findFirst();
    }

    private static Stream<Field> fields(Class<?> type) {
        return Stream.<Class<?>>iterate(type, at -> at != null && at != Object.class, Class::getSuperclass)
                .flatMap(at -> Stream.of(at.getDeclaredFields()));
    }

    /** The annotation of another class loader is another class, so it is read by its name. */
    private static String name(Field field) {
        try {
            for (Annotation annotation : field.getAnnotations()) {
                if (annotation.annotationType().getSimpleName().equals("JsonProperty")) {
                    return (String)
                            annotation.annotationType().getMethod("value").invoke(annotation);
                }
            }
            return field.getName();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
