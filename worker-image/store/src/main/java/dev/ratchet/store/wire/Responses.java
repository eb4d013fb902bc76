/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.wire;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeyValue;
import com.google.protobuf.ByteString;
import dev.ratchet.protocol.store.v1.Committed;
import dev.ratchet.protocol.store.v1.Error;
import dev.ratchet.protocol.store.v1.Keys;
import dev.ratchet.protocol.store.v1.Nothing;
import dev.ratchet.protocol.store.v1.OptionalBytes;
import dev.ratchet.protocol.store.v1.Response;
import dev.ratchet.protocol.store.v1.Rows;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.ConflictException;
import dev.ratchet.store.transaction.EmbeddedFDBException;
import dev.ratchet.store.transaction.ErrorCode;
import dev.ratchet.store.transaction.KeyRange;
import dev.ratchet.store.transaction.RangeChunk;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Results of a connection's calls as messages, and back. */
public final class Responses {

    private Responses() {}

    public static Response version(long id, long version) {
        return Response.newBuilder().setId(id).setVersion(version).build();
    }

    public static Response value(long id, byte @Nullable [] value) {
        return Response.newBuilder().setId(id).setValue(optional(value)).build();
    }

    /** Of a read at a new read version. */
    public static Response value(long id, long version, byte @Nullable [] value) {
        return Response.newBuilder()
                .setId(id)
                .setValue(optional(value))
                .setReadVersion(version)
                .build();
    }

    private static OptionalBytes.Builder optional(byte @Nullable [] value) {
        OptionalBytes.Builder message = OptionalBytes.newBuilder();
        return value == null ? message : message.setBytes(Wire.bytes(value));
    }

    public static byte @Nullable [] value(Response response) {
        OptionalBytes message = response.getValue();
        return message.hasBytes() ? message.getBytes().toByteArray() : null;
    }

    public static Response bytes(long id, byte[] bytes) {
        return Response.newBuilder().setId(id).setBytes(Wire.bytes(bytes)).build();
    }

    public static Response rows(long id, RangeChunk chunk) {
        Rows.Builder message = Rows.newBuilder()
                .setMore(chunk.more())
                .setReadToBegin(chunk.readToBegin())
                .setReadThroughEnd(chunk.readThroughEnd());
        for (KeyValue row : chunk.rows()) {
            message.addKeysAndValues(Wire.bytes(row.getKey())).addKeysAndValues(Wire.bytes(row.getValue()));
        }
        return Response.newBuilder().setId(id).setRows(message).build();
    }

    public static RangeChunk rows(Response response) {
        Rows message = response.getRows();
        List<ByteString> parts = message.getKeysAndValuesList();
        List<KeyValue> rows = new ArrayList<>(parts.size() / 2);
        for (int i = 0; i + 1 < parts.size(); i += 2) {
            rows.add(new KeyValue(parts.get(i).toByteArray(), parts.get(i + 1).toByteArray()));
        }
        return new RangeChunk(rows, message.getMore(), message.getReadToBegin(), message.getReadThroughEnd());
    }

    /** Of a commit, or of settling one that happened. */
    public static Response committed(long id, CommitOutcome outcome) {
        return Response.newBuilder()
                .setId(id)
                .setCommitted(
                        Committed.newBuilder().setVersion(outcome.version()).setBatchIndex(outcome.batchIndex()))
                .build();
    }

    /** Of settling a commit. */
    public static Response settled(long id, @Nullable CommitOutcome outcome) {
        return outcome != null
                ? committed(id, outcome)
                : Response.newBuilder()
                        .setId(id)
                        .setNotCommitted(Nothing.getDefaultInstance())
                        .build();
    }

    /** Null where the commit did not happen. */
    public static @Nullable CommitOutcome settled(Response response) {
        return response.hasNotCommitted() ? null : committed(response);
    }

    public static CommitOutcome committed(Response response) {
        Committed message = response.getCommitted();
        return new CommitOutcome(message.getVersion(), message.getBatchIndex());
    }

    public static Response changed(long id) {
        return Response.newBuilder()
                .setId(id)
                .setChanged(Nothing.getDefaultInstance())
                .build();
    }

    public static Response sizeBytes(long id, long sizeBytes) {
        return Response.newBuilder().setId(id).setSizeBytes(sizeBytes).build();
    }

    public static Response keys(long id, List<byte[]> keys) {
        Keys.Builder message = Keys.newBuilder();
        for (byte[] key : keys) {
            message.addKeys(Wire.bytes(key));
        }
        return Response.newBuilder().setId(id).setKeys(message).build();
    }

    public static List<byte[]> keys(Response response) {
        return response.getKeys().getKeysList().stream()
                .map(ByteString::toByteArray)
                .toList();
    }

    /** An error of FoundationDB as it is, anything else as 4100 with its text. */
    public static Response error(long id, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        Error.Builder message = Error.newBuilder();
        if (cause instanceof FDBException known) {
            message.setCode(known.getCode()).setMessage(String.valueOf(known.getMessage()));
        } else if (cause instanceof CancellationException) {
            message.setCode(ErrorCode.TRANSACTION_CANCELLED)
                    .setMessage(ErrorCode.describe(ErrorCode.TRANSACTION_CANCELLED));
        } else {
            message.setCode(ErrorCode.INTERNAL_ERROR).setMessage(cause.toString());
        }
        if (cause instanceof ConflictException conflict) {
            for (KeyRange range : conflict.conflicts()) {
                message.addConflicts(Wire.range(range));
            }
        }
        return Response.newBuilder().setId(id).setError(message).build();
    }

    public static EmbeddedFDBException error(Response response) {
        Error message = response.getError();
        if (message.getCode() == ErrorCode.NOT_COMMITTED) {
            return new ConflictException(Requests.ranges(message.getConflictsList()));
        }
        return new EmbeddedFDBException(message.getMessage(), message.getCode());
    }
}
