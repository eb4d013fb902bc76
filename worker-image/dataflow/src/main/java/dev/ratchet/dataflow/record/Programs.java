/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.record;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import dev.ratchet.circuits.sql.SqlException;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.store.keyspace.Table;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Compiles programs, of which it remembers the last, and keeps their text in the store. Safe for several threads. */
public final class Programs {

    private static final int CHUNK_BYTES = 90_000;

    private @Nullable AcceptedProgram last;

    /** SHA-256 of a text. */
    public static String digest(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java has no SHA-256", e);
        }
    }

    /**
     * Compiles a program; takes its time.
     *
     * @throws SqlException where it has a mistake, with its place
     */
    public synchronized AcceptedProgram compile(String text) {
        String digest = digest(text);
        AcceptedProgram known = last;
        if (known == null || !known.digest().equals(digest)) {
            known = new AcceptedProgram(digest, SqlProgram.compile(text));
            last = known;
        }
        return known;
    }

    /** Writes the text in place of the one before; returns the number of chunks. */
    public static int write(Transaction transaction, Table<byte[]> table, String text) {
        transaction.clear(table.range());
        List<byte[]> chunks = DataflowStore.chunks(text.getBytes(StandardCharsets.UTF_8), CHUNK_BYTES);
        for (int chunk = 0; chunk < chunks.size(); chunk++) {
            DataflowStore.write(transaction, table, chunks.get(chunk), chunk);
        }
        return chunks.size();
    }

    public static CompletableFuture<String> read(ReadTransaction transaction, Table<byte[]> table) {
        return transaction.getRange(table.range()).asList().thenApply(found -> {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            for (KeyValue chunk : found) {
                text.writeBytes(chunk.getValue());
            }
            return text.toString(StandardCharsets.UTF_8);
        });
    }
}
