/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.type.RowSchema;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a version consists of: the batches of each table, and the files they lie in. Immutable.
 *
 * @param version its number
 * @param tables by name
 * @param files lengths of the files by number
 */
record Manifest(long version, StateRecord record, SortedMap<String, Table> tables, SortedMap<Long, Long> files) {

    /** The sum of batches of one schema. */
    record Table(RowSchema schema, List<Entry> entries) {}

    /**
     * A batch in a file, and the range of it that belongs to the table.
     *
     * @param file number of the file
     * @param rows of the whole batch
     */
    record Entry(long file, long position, long length, long rows, HashRange range) {}

    static Manifest empty() {
        return new Manifest(0, StateRecord.EMPTY, new TreeMap<>(), new TreeMap<>());
    }

    static String name(long version) {
        return "manifest-" + version;
    }

    static String fileName(long number) {
        return "batch-" + number;
    }
}
