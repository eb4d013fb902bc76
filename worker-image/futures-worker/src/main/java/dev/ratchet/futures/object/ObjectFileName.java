/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import dev.ratchet.client.FutureId;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of the file of a complete object, {@code <number>_<future>_<epoch>_<bytes>_<checksum>}: all that a later
 * process of the seat has to know of it. A file without such a name is incomplete, or no object.
 *
 * @param number tells apart two files of one object
 */
record ObjectFileName(String number, ObjectStore.Stored object) {

    private static final Pattern FORM =
            Pattern.compile("(\\d{1,18})_([0-9a-f-]{36})_(-?\\d{1,19})_(\\d{1,18})_([0-9a-f]{1,8})");

    /** What a file is called; empty if it is not the name of a complete object. */
    static Optional<ObjectFileName> parse(String file) {
        Matcher parts = FORM.matcher(file);
        if (!parts.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ObjectFileName(
                    parts.group(1),
                    new ObjectStore.Stored(
                            new ObjectName(
                                    new FutureId(UUID.fromString(parts.group(2))), Long.parseLong(parts.group(3))),
                            Long.parseLong(parts.group(4)),
                            Integer.parseUnsignedInt(parts.group(5), 16))));
        } catch (IllegalArgumentException other) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return number + "_" + object.name().future().value() + "_"
                + object.name().epoch() + "_" + object.bytes() + "_" + Integer.toHexString(object.checksum());
    }
}
