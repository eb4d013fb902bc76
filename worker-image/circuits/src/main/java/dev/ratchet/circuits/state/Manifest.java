/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.type.RowSchema;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a version consists of: the batches of each table, and the files they lie in. Immutable.
 *
 * @param version its number
 * @param tables by name
 * @param origin names the database that wrote it among all databases; 0 before format 2
 * @param files by number
 */
record Manifest(
        long version,
        StateRecord record,
        long origin,
        SortedMap<String, Table> tables,
        SortedMap<Long, StoredFile> files) {

    /**
     * A file that the database of the manifest's origin has written under its number, the same wherever it is copied.
     *
     * @param digest of its bytes; none where a release before format 2 wrote it and nobody has read it since
     */
    record StoredFile(long length, OptionalLong digest) {}

    /** The sum of batches of one schema. */
    record Table(RowSchema schema, List<Entry> entries) {}

    /**
     * A batch in a file, and the range of it that belongs to the table.
     *
     * @param file number of the file
     * @param rows of the whole batch
     */
    record Entry(long file, long position, long length, long rows, HashRange range) {}

    static Manifest empty(long origin) {
        return new Manifest(0, StateRecord.EMPTY, origin, new TreeMap<>(), new TreeMap<>());
    }

    static String name(long version) {
        return "manifest-" + version;
    }

    static String fileName(long number) {
        return "batch-" + number;
    }
}
