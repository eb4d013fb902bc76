/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.Quantity;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The schemas of the built-in kinds, derived from the fields of the fabric8 model classes, so that they are as new as
 * the client. What classes do not say, such as the keys of lists, comes from {@link ModelTraits}. Definitions only
 * grow; safe for concurrent use.
 */
public final class ModelSchemas {

    private static final String MODEL = "io.fabric8.kubernetes.api.model.";

    private final ConcurrentSkipListMap<String, ObjectNode> definitions = new ConcurrentSkipListMap<>();
    private final ModelTraits traits = ModelTraits.load();

    /** The schema of a model class; defining it defines all that it refers to. */
    public Schema of(Class<?> model) {
        return Schema.of(reference(model), definitions);
    }

    /** All definitions made so far by name: the live map, to look references up in. */
    public Map<String, ObjectNode> definitions() {
        return definitions;
    }

    /** The name under which a model class is defined, such as {@code io.k8s.api.core.v1.Pod}. */
    public static String nameOf(Class<?> model) {
        String path = model.getPackageName().equals(MODEL.substring(0, MODEL.length() - 1))
                ? ""
                : model.getPackageName().substring(MODEL.length());
        if (!path.isEmpty()) {
            return "io.k8s.api." + path + "." + model.getSimpleName();
        }
        return (ModelTraits.isMetadata(model.getSimpleName())
                        ? "io.k8s.apimachinery.pkg.apis.meta.v1."
                        : "io.k8s.api.core.v1.")
                + model.getSimpleName();
    }

    private ObjectNode reference(Class<?> model) {
        String name = nameOf(model);
        if (!definitions.containsKey(name)) {
            define(name, model);
        }
        return Json.object().put("$ref", "#/definitions/" + name);
    }

    private void define(String name, Class<?> model) {
        ObjectNode definition = Json.object();
        definition.put("type", "object");
        if (definitions.putIfAbsent(name, definition) != null) {
            return;
        }
        if (traits.isAtomic(model.getSimpleName())) {
            definition.put("x-kubernetes-map-type", "atomic");
        }
        String description = traits.description(model.getSimpleName());
        if (!description.isEmpty()) {
            definition.put("description", description);
        }
        Map<String, ObjectNode> properties = new TreeMap<>();
        for (Class<?> c = model; c != null && c != Object.class; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                JsonProperty property = field.getAnnotation(JsonProperty.class);
                if (property != null) {
                    ObjectNode schema = schema(field.getGenericType());
                    traits.decorate(model.getSimpleName(), property.value(), schema);
                    properties.put(property.value(), schema);
                }
            }
        }
        definition.putObject("properties").setAll(properties);
        ArrayNode required = traits.required(model.getSimpleName());
        if (!required.isEmpty()) {
            definition.set("required", required);
        }
    }

    private ObjectNode schema(Type type) {
        if (type instanceof ParameterizedType parameterized) {
            return container(parameterized);
        }
        if (!(type instanceof Class<?> c)) {
            return anything();
        }
        if (c == String.class || c.isEnum()) {
            return Json.object().put("type", "string");
        }
        if (c == Integer.class || c == int.class) {
            return Json.object().put("type", "integer").put("format", "int32");
        }
        if (c == Long.class || c == long.class) {
            return Json.object().put("type", "integer").put("format", "int64");
        }
        if (c == Boolean.class || c == boolean.class) {
            return Json.object().put("type", "boolean");
        }
        if (c == Double.class || c == Float.class) {
            return Json.object().put("type", "number");
        }
        if (c == Quantity.class || c == IntOrString.class) {
            return Json.object().put("x-kubernetes-int-or-string", true);
        }
        if (c == MicroTime.class) {
            return Json.object().put("type", "string").put("format", "date-time");
        }
        boolean isStructured =
                c.getName().startsWith(MODEL) && !c.isInterface() && !ModelTraits.isOpaque(c.getSimpleName());
        return isStructured ? reference(c) : anything();
    }

    private ObjectNode container(ParameterizedType type) {
        Class<?> raw = (Class<?>) type.getRawType();
        Type[] arguments = type.getActualTypeArguments();
        if (Collection.class.isAssignableFrom(raw)) {
            ObjectNode list = Json.object().put("type", "array");
            list.set("items", schema(arguments[0]));
            return list;
        }
        if (Map.class.isAssignableFrom(raw) && arguments.length == 2) {
            ObjectNode map = Json.object().put("type", "object");
            if (arguments[1] == Object.class) {
                return anything();
            }
            map.set("additionalProperties", schema(arguments[1]));
            return map;
        }
        return anything();
    }

    private static ObjectNode anything() {
        return Json.object().put("type", "object").put("x-kubernetes-preserve-unknown-fields", true);
    }
}
