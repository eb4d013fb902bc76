/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.chart;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a manifest says and Kubernetes does not know: the models keep it at every level in their additional
 * properties.
 */
final class UnknownFields {
    private static final String MODELS = "io.fabric8.kubernetes.api.model";

    private UnknownFields() {}

    static List<String> of(Object resource) {
        List<String> unknown = new ArrayList<>();
        if (!(resource instanceof GenericKubernetesResource)) {
            collect(resource, resource.getClass().getSimpleName(), unknown);
        }
        return unknown;
    }

    private static void collect(@Nullable Object value, String path, List<String> unknown) {
        if (value instanceof Collection<?> items) {
            int index = 0;
            for (Object item : items) {
                collect(item, path + "[" + index++ + "]", unknown);
            }
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, item) -> collect(item, path + "." + key, unknown));
        } else if (value != null
                && value.getClass().getName().startsWith(MODELS)
                && !value.getClass().isEnum()) {
            for (Class<?> type = value.getClass(); type != Object.class; type = type.getSuperclass()) {
                for (Field field : type.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        collectField(value, field, path, unknown);
                    }
                }
            }
        }
    }

    private static void collectField(Object owner, Field field, String path, List<String> unknown) {
        try {
            field.setAccessible(true);
            Object value = field.get(owner);
            if (field.getName().equals("additionalProperties") && value instanceof Map<?, ?> rest) {
                rest.keySet().forEach(key -> unknown.add(path + "." + key));
            } else {
                collect(value, path + "." + field.getName(), unknown);
            }
        } catch (IllegalAccessException problem) {
            throw new IllegalStateException(problem);
        }
    }
}
