/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Arrays, maps and structs as canonical bytes: what SQL calls equal has equal bytes, and the unsigned order of the
 * bytes is the order of the values (element by element, NULL first, a prefix before what it begins; maps by their
 * entries in order of keys). Each element follows a mark: {@code 0} end, {@code 1} NULL, {@code 2} value. Objects are
 * those of {@link ObjectValues}.
 */
public final class NestedCodec {

    static final int END = 0;
    static final int NULL = 1;
    static final int VALUE = 2;
    private static final int ESCAPE = 0xFF;

    private NestedCodec() {}

    /** The bytes of a value of a nested type: a {@link List} for ARRAY and STRUCT, a {@link Map} for MAP. */
    public static byte[] encode(ColumnType type, Object value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(out, type, value);
        return out.toByteArray();
    }

    /** The value in these bytes; maps iterate in order of keys. */
    public static Object decode(ColumnType type, byte[] bytes, int offset, int length) {
        return read(ByteBuffer.wrap(bytes, offset, length), type);
    }

    private static void write(ByteArrayOutputStream out, ColumnType type, Object value) {
        switch (type.kind()) {
            case ARRAY -> {
                ColumnType element = type.fields().get(0).type();
                ((List<?>) value).forEach(item -> writeMarked(out, element, item));
                out.write(END);
            }
            case MAP -> writeMap(out, type, (Map<?, ?>) value);
            case STRUCT -> {
                List<?> parts = (List<?>) value;
                if (parts.size() != type.fields().size()) {
                    throw new IllegalArgumentException("A struct of " + parts.size() + " parts where " + type + " has "
                            + type.fields().size());
                }
                for (int i = 0; i < parts.size(); i++) {
                    writeMarked(out, type.fields().get(i).type(), parts.get(i));
                }
            }
            case VARCHAR -> writeBytes(out, ((String) value).getBytes(StandardCharsets.UTF_8));
            case VARBINARY -> writeBytes(out, (byte[]) value);
            case DECIMAL -> DecimalBytes.write(out, (BigDecimal) value);
            default -> {
                long ordered = ObjectValues.toLong(type, value) ^ Long.MIN_VALUE;
                out.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(ordered).array());
            }
        }
    }

    private static void writeMap(ByteArrayOutputStream out, ColumnType type, Map<?, ?> value) {
        TreeMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
        value.forEach((key, item) -> entries.put(
                marked(type.fields().get(0).type(), key),
                marked(type.fields().get(1).type(), item)));
        entries.forEach((key, item) -> {
            out.writeBytes(key);
            out.writeBytes(item);
        });
        out.write(END);
    }

    private static byte[] marked(ColumnType type, @Nullable Object value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        writeMarked(out, type, value);
        return out.toByteArray();
    }

    private static void writeMarked(ByteArrayOutputStream out, ColumnType type, @Nullable Object value) {
        if (value == null) {
            out.write(NULL);
        } else {
            out.write(VALUE);
            write(out, type, value);
        }
    }

    /** A zero byte is followed by 0xFF inside and by a mark, which is smaller, at the end. */
    private static void writeBytes(ByteArrayOutputStream out, byte[] bytes) {
        for (byte b : bytes) {
            out.write(b);
            if (b == 0) {
                out.write(ESCAPE);
            }
        }
        out.write(0);
        out.write(0);
    }

    private static Object read(ByteBuffer in, ColumnType type) {
        return switch (type.kind()) {
            case ARRAY -> readUntilEnd(in, List.of(type.fields().get(0).type()));
            case MAP -> {
                List<@Nullable Object> flat = readUntilEnd(
                        in,
                        List.of(
                                type.fields().get(0).type(),
                                type.fields().get(1).type()));
                Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
                for (int i = 0; i < flat.size(); i += 2) {
                    map.put(flat.get(i), flat.get(i + 1));
                }
                yield map;
            }
            case STRUCT -> {
                List<@Nullable Object> parts = new ArrayList<>();
                for (ColumnType.Field field : type.fields()) {
                    parts.add(readMarked(in, field.type(), in.get()));
                }
                yield parts;
            }
            case VARCHAR -> new String(readBytes(in), StandardCharsets.UTF_8);
            case VARBINARY -> readBytes(in);
            case DECIMAL -> DecimalBytes.read(in).setScale(type.scale());
            default -> ObjectValues.fromLong(type, in.getLong() ^ Long.MIN_VALUE);
        };
    }

    private static List<@Nullable Object> readUntilEnd(ByteBuffer in, List<ColumnType> types) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int mark = in.get(); mark != END; mark = in.get()) {
            values.add(readMarked(in, types.get(values.size() % types.size()), mark));
        }
        return values;
    }

    private static @Nullable Object readMarked(ByteBuffer in, ColumnType type, int mark) {
        return mark == NULL ? null : read(in, type);
    }

    private static byte[] readBytes(ByteBuffer in) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        while (true) {
            byte b = in.get();
            if (b == 0 && (in.get() & 0xFF) != ESCAPE) {
                return out.toByteArray();
            }
            out.write(b);
        }
    }
}
