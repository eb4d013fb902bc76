/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns rows of views into records of a program. */
final class RecordValues {

    private static final Map<Class<?>, Class<?>> BOXES = Map.of(
            boolean.class, Boolean.class,
            int.class, Integer.class,
            long.class, Long.class,
            double.class, Double.class,
            short.class, Short.class,
            byte.class, Byte.class,
            float.class, Float.class);

    /** A component by the name of its column. */
    private record Column(String name, Method accessor) {}

    /** Found once for each type: finding them costs several times what the row does. */
    private static final ClassValue<List<Column>> COLUMNS = new ClassValue<>() {
        @Override
        protected List<Column> computeValue(Class<?> type) {
            return Arrays.stream(type.getRecordComponents())
                    .map(RecordValues::column)
                    .toList();
        }
    };

    private RecordValues() {}

    static <R extends Record> R record(ViewRow row, Class<R> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        @Nullable Object[] values = new Object[components.length];
        for (int index = 0; index < components.length; index++) {
            values[index] = value(row, type, components[index]);
        }
        try {
            Constructor<R> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException refused) {
            throw new InvalidInputException("A row can not be made a " + type.getName() + ": " + row, refused);
        }
    }

    /** The components of a record by the names of columns: {@code orderId} is {@code order_id}. */
    static Map<String, @Nullable Object> values(Record made) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (Column column : COLUMNS.get(made.getClass())) {
            try {
                values.put(column.name(), column.accessor().invoke(made));
            } catch (ReflectiveOperationException refused) {
                throw new InvalidInputException(
                        "The component " + column.accessor().getName() + " of "
                                + made.getClass().getName() + " can not be read: " + refused,
                        refused);
            }
        }
        return values;
    }

    private static @Nullable Object value(ViewRow row, Class<?> type, RecordComponent component) {
        String column = column(row, component.getName())
                .orElseThrow(() -> new InvalidInputException("The component " + component.getName() + " of "
                        + type.getName() + " has no column; the row has " + row.columns() + "."));
        Object value = row.get(column);
        if (value == null && component.getType().isPrimitive()) {
            throw new InvalidInputException("The column '" + column + "' is NULL, which the component "
                    + component.getName() + " of " + type.getName() + " can not be; declare it as an object.");
        }
        return value == null ? null : convert(column, value, component.getType());
    }

    private static Column column(RecordComponent component) {
        Method accessor = component.getAccessor();
        accessor.setAccessible(true);
        String name = component.getName().replaceAll("([a-z0-9])([A-Z])", "$1_$2");
        return new Column(name.toLowerCase(Locale.ROOT), accessor);
    }

    private static Optional<String> column(ViewRow row, String component) {
        return row.columns().stream()
                .filter(column -> plain(column).equalsIgnoreCase(plain(component)))
                .findFirst();
    }

    private static String plain(String name) {
        return name.replace("_", "");
    }

    /** The value as an object of a type, or of its box. */
    static Object convert(String column, Object value, Class<?> type) {
        Class<?> wanted = BOXES.getOrDefault(type, type);
        if (wanted.isInstance(value)) {
            return value;
        }
        Object converted =
                switch (value) {
                    case Long number -> whole(number, wanted);
                    case BigDecimal number when isWhole(number) -> whole(number.longValueExact(), wanted);
                    default -> null;
                };
        if (converted == null && value instanceof Double number && wanted == Float.class) {
            converted = number.floatValue();
        }
        if (converted == null) {
            throw new InvalidInputException("The column '" + column + "' is a "
                    + value.getClass().getSimpleName() + " (" + value + "), which is no " + type.getSimpleName() + ".");
        }
        return converted;
    }

    /** As sums of integers are, which SQL makes decimals. */
    private static boolean isWhole(BigDecimal number) {
        return number.signum() == 0
                || (number.stripTrailingZeros().scale() <= 0
                        && number.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0);
    }

    private static @Nullable Object whole(long number, Class<?> type) {
        if (type == Long.class) {
            return number;
        }
        if (type == Integer.class && number == (int) number) {
            return (int) number;
        }
        if (type == Short.class && number == (short) number) {
            return (short) number;
        }
        if (type == Byte.class && number == (byte) number) {
            return (byte) number;
        }
        return type == BigDecimal.class ? BigDecimal.valueOf(number) : null;
    }
}
