/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.protocol.futures.v1.FutureRecordOrBuilder;
import java.util.List;
import java.util.UUID;

/**
 * Where the pieces of large arguments lie: under the id of the future and that of the upload, which its client draws.
 * Clients that submit different arguments under one key upload side by side, and the record names the upload of the one
 * that is recorded; the pieces of the others go with the sweep of what was uploaded and not named. Arguments that were
 * not uploaded, or before level {@value #LEVEL} of formats, lie under the id of the future alone.
 */
public final class ArgumentUploads {

    /** The level of formats from which on pieces lie under uploads. */
    public static final int LEVEL = 2;

    /** Bytes of an id. */
    public static final int ID_BYTES = 16;

    private ArgumentUploads() {}

    /** Whose the pieces of an upload are. */
    public static Object owner(UUID future, ByteString upload) {
        return upload.isEmpty() ? future : List.of(future, upload.toByteArray());
    }

    /** Whose the pieces are that a record names. */
    public static Object owner(UUID future, FutureRecordOrBuilder record) {
        return owner(future, record.getArgumentUpload());
    }

    /** Clears what was uploaded for a future, and is not what its record names. */
    public static void clearOthers(
            FutureKeys keys, Transaction transaction, UUID future, FutureRecordOrBuilder record) {
        byte[] begin = keys.arguments.range(future).begin;
        byte[] end = keys.arguments.range(future).end;
        if (record.getArgumentUpload().isEmpty()) {
            // Keys order bytes, as in those of uploads, before numbers.
            keys.arguments.clearBetween(transaction, begin, keys.arguments.key(future, 0));
        } else {
            byte[] upload = record.getArgumentUpload().toByteArray();
            keys.arguments.clearBetween(transaction, begin, keys.arguments.range(future, upload).begin);
            keys.arguments.clearBetween(transaction, keys.arguments.range(future, upload).end, end);
        }
    }
}
