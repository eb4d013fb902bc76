/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

/**
 * The kinds of column types with the ids under which they are persisted. An id is never given to another kind, because
 * files and messages of older releases carry it.
 */
public enum TypeKind {
    /** 0 or 1. */
    BOOLEAN(1),
    TINYINT(2),
    SMALLINT(3),
    INTEGER(4),
    BIGINT(5),
    /** A 32-bit float, stored as the double of equal value. */
    REAL(6),
    /** A double by {@link OrderedDouble}: one NaN, one zero. */
    DOUBLE(7),
    /** The unscaled value: one long up to 18 digits, 128 bits up to 38. */
    DECIMAL(8),
    /** UTF-8, ordered by code point. */
    VARCHAR(9),
    VARBINARY(10),
    /** Days since 1970-01-01. */
    DATE(11),
    /** Microseconds since midnight. */
    TIME(12),
    /** Microseconds since 1970-01-01 00:00:00, without zone. */
    TIMESTAMP(13),
    /** Months. */
    INTERVAL_MONTHS(14),
    /** Microseconds. */
    INTERVAL_MICROS(15),
    /** Canonical bytes by {@link NestedCodec}; one field, the element. */
    ARRAY(16),
    /** Canonical bytes by {@link NestedCodec}; two fields, key and value. */
    MAP(17),
    /** Canonical bytes by {@link NestedCodec}; any number of named fields. */
    STRUCT(18);

    private static final TypeKind[] BY_ID = new TypeKind[32];

    static {
        for (TypeKind kind : values()) {
            BY_ID[kind.id] = kind;
        }
    }

    private final int id;

    TypeKind(int id) {
        this.id = id;
    }

    /** The id in files and messages, 1..31. */
    public int id() {
        return id;
    }

    /** Whether values are canonical bytes of further values. */
    public boolean isNested() {
        return this == ARRAY || this == MAP || this == STRUCT;
    }

    /**
     * The kind with this id.
     *
     * @throws IllegalArgumentException where no kind has it, as when a newer release wrote it
     */
    public static TypeKind byId(int id) {
        if (id < 0 || id >= BY_ID.length || BY_ID[id] == null) {
            throw new IllegalArgumentException(
                    "Unknown type id " + id + "; the data was written by a newer release, which is needed to read it");
        }
        return BY_ID[id];
    }
}
