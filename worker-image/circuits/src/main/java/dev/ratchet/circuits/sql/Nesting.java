/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.type.ColumnType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Nested types against each other: equal but for names and NULLs, or built anew part by part. */
final class Nesting {

    private Nesting() {}

    /** The value as of another nested type, or null where that takes more than other names. */
    static @Nullable Expression convert(Expression value, ColumnType type) {
        if (value instanceof Expression.Nested nested && nested.type().kind() == type.kind()) {
            List<ColumnType.Field> fields = type.fields();
            boolean isStruct = fields.size() == nested.parts().size();
            List<Expression> parts = new ArrayList<>();
            for (int i = 0; i < nested.parts().size(); i++) {
                ColumnType part =
                        switch (type.kind()) {
                            case ARRAY -> fields.get(0).type();
                            case MAP -> fields.get(i % 2).type();
                            default ->
                                isStruct
                                        ? fields.get(i).type()
                                        : nested.parts().get(i).type();
                        };
                parts.add(Casts.to(nested.parts().get(i), part));
            }
            return new Expression.Nested(parts, type);
        }
        return sameStorage(value.type(), type) ? new Expression.Retyped(value, type) : null;
    }

    private static boolean sameStorage(ColumnType left, ColumnType right) {
        if (left.kind() != right.kind()
                || left.scale() != right.scale()
                || left.fields().size() != right.fields().size()) {
            return false;
        }
        for (int i = 0; i < left.fields().size(); i++) {
            if (!sameStorage(left.fields().get(i).type(), right.fields().get(i).type())) {
                return false;
            }
        }
        return true;
    }
}
