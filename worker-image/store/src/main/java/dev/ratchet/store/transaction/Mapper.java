/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes a key out of a row, by a tuple in which <code>{K[i]}</code> and <code>{V[i]}</code> stand for elements of the
 * row's key and value, and <code>{...}</code> at the end for all keys that begin so. Double braces stand for single
 * ones. Source: FoundationDB's page on getMappedRange.
 */
final class Mapper {

    private static final String REST = "{...}";
    private static final Pattern NUMBER = Pattern.compile("\\s*([+-]?\\d{1,9}).*", Pattern.DOTALL);

    private final List<Part> parts;
    private final boolean isRange;

    /** Packed bytes, or else the element {@code index} of the key or the value of a row. */
    private record Part(byte @Nullable [] literal, boolean ofKey, String index) {}

    private Mapper(List<Part> parts, boolean isRange) {
        this.parts = parts;
        this.isRange = isRange;
    }

    static Mapper parse(byte[] mapper) {
        Tuple tuple = unpack(mapper, ErrorCode.MAPPER_NOT_TUPLE);
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < tuple.size(); i++) {
            Object element = tuple.get(i);
            String text =
                    switch (element) {
                        case String string -> string;
                        case byte[] bytes -> new String(bytes, StandardCharsets.ISO_8859_1);
                        case null, default -> "";
                    };
            if (text.contains("{{") || text.contains("}}")) {
                byte[] bytes = text.replace("{{", "{")
                        .replace("}}", "}")
                        .getBytes(element instanceof String ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
                parts.add(new Part(Tuple.from((Object) bytes).pack(), false, ""));
            } else if (isReference(text)) {
                parts.add(new Part(null, text.charAt(1) == 'K', text.substring(3, text.length() - 2)));
            } else if (text.equals(REST)) {
                if (i != tuple.size() - 1) {
                    throw new EmbeddedFDBException(ErrorCode.MAPPER_BAD_RANGE_DESCRIPTOR);
                }
                return new Mapper(parts, true);
            } else {
                parts.add(new Part(pack(element), false, ""));
            }
        }
        return new Mapper(parts, false);
    }

    private static boolean isReference(String text) {
        return text.length() > 5 && (text.startsWith("{K[") || text.startsWith("{V[")) && text.endsWith("]}");
    }

    private static byte[] pack(@Nullable Object element) {
        return Tuple.from(element).pack();
    }

    private static Tuple unpack(byte[] bytes, int code) {
        try {
            return Tuple.fromBytes(bytes);
        } catch (RuntimeException e) {
            throw new EmbeddedFDBException(code);
        }
    }

    /** What to read for a row. */
    KeyRange rangeOf(KeyValue row) {
        Tuple key = null;
        Tuple value = null;
        List<byte[]> packed = new ArrayList<>(parts.size());
        for (Part part : parts) {
            byte[] literal = part.literal;
            if (literal != null) {
                packed.add(literal);
            } else if (part.ofKey) {
                key = key == null ? unpack(row.getKey(), ErrorCode.KEY_NOT_TUPLE) : key;
                packed.add(element(key, part.index));
            } else {
                value = value == null ? unpack(row.getValue(), ErrorCode.VALUE_NOT_TUPLE) : value;
                packed.add(element(value, part.index));
            }
        }
        byte[] mapped = ByteArrayUtil.join(packed.toArray(byte[][]::new));
        return new KeyRange(mapped, isRange ? end(mapped) : Keys.after(mapped));
    }

    private static byte[] end(byte[] prefix) {
        return prefix.length == 0 ? Keys.USER_END : ByteArrayUtil.strinc(prefix);
    }

    private static byte[] element(Tuple tuple, String index) {
        Matcher number = NUMBER.matcher(index);
        int at = number.matches() ? Integer.parseInt(number.group(1)) : -1;
        if (at < 0 || at >= tuple.size()) {
            throw new EmbeddedFDBException(ErrorCode.MAPPER_BAD_INDEX);
        }
        return pack(tuple.get(at));
    }
}
