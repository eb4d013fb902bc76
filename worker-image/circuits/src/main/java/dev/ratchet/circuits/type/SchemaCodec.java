/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Types and schemas as bytes: for each type its kind, its flags, then digits or fields. Equal schemas have equal bytes,
 * and the layout is pinned by golden files, as it heads every batch.
 */
public final class SchemaCodec {

    private static final int NULLABLE = 1;
    private static final int DEPTH_MAX = 32;

    private SchemaCodec() {}

    public static byte[] encode(RowSchema schema) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        writeShort(out, schema.keyCount());
        writeShort(out, schema.value().size());
        schema.columns().forEach(type -> write(out, type));
        return out.toByteArray();
    }

    /**
     * The schema in these bytes.
     *
     * @throws IllegalArgumentException where they are none
     */
    public static RowSchema decode(byte[] bytes) {
        try {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            int keys = in.getShort() & 0xFFFF;
            int values = in.getShort() & 0xFFFF;
            RowSchema schema = new RowSchema(readTypes(in, keys), readTypes(in, values));
            if (in.hasRemaining()) {
                throw new IllegalArgumentException(
                        "A schema with " + in.remaining() + " bytes behind its end; the data is damaged");
            }
            return schema;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException(
                    "A schema that ends after " + bytes.length + " bytes; the data is damaged", e);
        }
    }

    /** One type alone. */
    public static byte[] encodeType(ColumnType type) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(out, type);
        return out.toByteArray();
    }

    /** As {@link #decode}, of {@link #encodeType}. */
    public static ColumnType decodeType(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            ColumnType type = read(in, 0);
            if (!in.hasRemaining()) {
                return type;
            }
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("A type that ends after " + bytes.length + " bytes", e);
        }
        throw new IllegalArgumentException("A type with " + in.remaining() + " bytes behind its end");
    }

    private static List<ColumnType> readTypes(ByteBuffer in, int count) {
        List<ColumnType> types = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            types.add(read(in, 0));
        }
        return types;
    }

    private static void write(ByteArrayOutputStream out, ColumnType type) {
        out.write(type.kind().id());
        out.write(type.nullable() ? NULLABLE : 0);
        switch (type.kind()) {
            case DECIMAL -> {
                out.write(type.precision());
                out.write(type.scale());
            }
            case ARRAY, MAP -> type.fields().forEach(field -> write(out, field.type()));
            case STRUCT -> {
                writeShort(out, type.fields().size());
                for (ColumnType.Field field : type.fields()) {
                    byte[] name = field.name().getBytes(StandardCharsets.UTF_8);
                    writeShort(out, name.length);
                    out.writeBytes(name);
                    write(out, field.type());
                }
            }
            default -> {}
        }
    }

    private static ColumnType read(ByteBuffer in, int depth) {
        if (depth > DEPTH_MAX) {
            throw new IllegalArgumentException("A type nested deeper than " + DEPTH_MAX + "; the data is damaged");
        }
        TypeKind kind = TypeKind.byId(in.get());
        boolean nullable = (in.get() & NULLABLE) != 0;
        ColumnType type =
                switch (kind) {
                    case DECIMAL -> ColumnType.decimal(in.get(), in.get());
                    case ARRAY -> ColumnType.array(read(in, depth + 1));
                    case MAP -> ColumnType.map(read(in, depth + 1), read(in, depth + 1));
                    case STRUCT -> ColumnType.struct(readFields(in, depth));
                    default -> ColumnType.of(kind);
                };
        return type.withNullable(nullable);
    }

    private static List<ColumnType.Field> readFields(ByteBuffer in, int depth) {
        int count = in.getShort() & 0xFFFF;
        List<ColumnType.Field> fields = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] name = new byte[Math.min(in.getShort() & 0xFFFF, in.remaining())];
            in.get(name);
            fields.add(new ColumnType.Field(new String(name, StandardCharsets.UTF_8), read(in, depth + 1)));
        }
        return fields;
    }

    private static void writeShort(ByteArrayOutputStream out, int value) {
        if (value > 0xFFFF) {
            throw new IllegalArgumentException("A name or list of " + value + " in a schema, the limit is 65535");
        }
        out.write(value >>> 8);
        out.write(value);
    }
}
