/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client.dataset;

import dev.ratchet.client.InvalidInputException;
import java.lang.reflect.RecordComponent;
import java.time.temporal.Temporal;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A hash of values that is the same in every process, and equal for equal values. */
final class StableHash {

    private StableHash() {}

    /** @throws InvalidInputException if the value is of a kind whose hash differs between processes */
    static int of(@Nullable Object value) throws ReflectiveOperationException {
        return switch (value) {
            case null -> 0;
            case Enum<?> constant -> spread(constant.name().hashCode());
            case String text -> spread(text.hashCode());
            case Number number when number.getClass().getName().startsWith("java.") -> spread(number.hashCode());
            case Boolean bool -> spread(bool.hashCode());
            case Character character -> spread(character.hashCode());
            case UUID id -> spread(id.hashCode());
            case Temporal time when time.getClass().getName().startsWith("java.") -> spread(time.hashCode());
            case List<?> list -> {
                int hash = 1;
                for (Object element : list) {
                    hash = 31 * hash + of(element);
                }
                yield spread(hash);
            }
            case Record fields -> {
                int hash = 1;
                for (RecordComponent component : fields.getClass().getRecordComponents()) {
                    component.getAccessor().setAccessible(true);
                    hash = 31 * hash + of(component.getAccessor().invoke(fields));
                }
                yield spread(hash);
            }
            default ->
                throw new InvalidInputException("A key may not be a "
                        + value.getClass().getName() + ", whose hash may differ between workers. Use strings, numbers,"
                        + " enums, UUIDs, times, or records and lists of those.");
        };
    }

    /** Mixes the bits, so that keys that differ in few of them do not meet in one partition. */
    private static int spread(int hash) {
        int mixed = (hash ^ (hash >>> 16)) * 0x7feb352d;
        mixed = (mixed ^ (mixed >>> 15)) * 0x846ca68b;
        return mixed ^ (mixed >>> 16);
    }
}
