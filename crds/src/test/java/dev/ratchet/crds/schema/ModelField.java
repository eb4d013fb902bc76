/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.generator.annotation.Required;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One field of a part of a resource as reflection sees it.
 *
 * @param change what changing it costs: its own annotation, or that of what is around it; null in a status
 */
record ModelField(Field field, String name, @Nullable ChangeImpact change) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The fields of a part, in the order of their declaration. */
    static List<ModelField> of(Class<?> part, @Nullable ChangeImpact around) {
        ChangeImpact ofClass = change(part.getAnnotation(OnChange.class), around);
        List<ModelField> fields = new ArrayList<>();
        for (Field field : part.getFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                JsonProperty renamed = field.getAnnotation(JsonProperty.class);
                fields.add(new ModelField(
                        field,
                        renamed == null ? field.getName() : renamed.value(),
                        change(field.getAnnotation(OnChange.class), ofClass)));
            }
        }
        return fields;
    }

    private static @Nullable ChangeImpact change(@Nullable OnChange own, @Nullable ChangeImpact around) {
        return own == null ? around : own.value();
    }

    boolean required() {
        return field.isAnnotationPresent(Required.class);
    }

    /** Whether the field itself is marked, not what is around it. */
    boolean markedItself() {
        return field.isAnnotationPresent(OnChange.class);
    }

    String description() {
        JsonPropertyDescription text = field.getAnnotation(JsonPropertyDescription.class);
        if (text == null) {
            throw new IllegalStateException(field + " has no description: add @JsonPropertyDescription");
        }
        return text.value();
    }

    boolean isList() {
        return Collection.class.isAssignableFrom(field.getType());
    }

    boolean isMap() {
        return Map.class.isAssignableFrom(field.getType());
    }

    /** The class of the field; of its items or values for lists and maps. */
    Class<?> type() {
        if (field.getGenericType() instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            return (Class<?>) arguments[arguments.length - 1];
        }
        return field.getType();
    }

    boolean isPart() {
        return Part.class.isAssignableFrom(type());
    }

    /** The value the field has in a new part, as JSON; null where that is nothing, or where the field must be set. */
    @Nullable
    JsonNode initialValue() {
        if (required()) {
            return null;
        }
        try {
            Object owner = field.getDeclaringClass().getDeclaredConstructor().newInstance();
            Object value = field.get(owner);
            return value == null ? null : JSON.valueToTree(value);
        } catch (ReflectiveOperationException problem) {
            throw new IllegalStateException(
                    field + " can not be read from a new " + field.getDeclaringClass(), problem);
        }
    }
}
