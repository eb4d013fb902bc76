/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.schema.ChangeImpact;
import dev.ratchet.crds.schema.OnChange;
import dev.ratchet.crds.schema.Part;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Owns the reading of what changing a field costs: declared at the field, at its type, or around it. */
public final class FieldCosts {
    private FieldCosts() {}

    /** The fields of a part. */
    public static List<Field> fields(Part part) {
        return Arrays.stream(part.getClass().getFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .toList();
    }

    /** What changing {@code field} costs, where {@code around} is what is declared around it. */
    public static ChangeImpact of(Field field, ChangeImpact around) {
        return declared(
                field.getAnnotation(OnChange.class), declared(field.getType().getAnnotation(OnChange.class), around));
    }

    /** What changing something of {@code part} costs. */
    public static ChangeImpact of(Part part) {
        return declared(part.getClass().getAnnotation(OnChange.class), ChangeImpact.IMMUTABLE);
    }

    public static @Nullable Object value(Field field, Part part) {
        try {
            return field.get(part);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("a public field of the model can not be read: " + field, e);
        }
    }

    private static ChangeImpact declared(@Nullable OnChange declared, ChangeImpact around) {
        return declared == null ? around : declared.value();
    }
}
