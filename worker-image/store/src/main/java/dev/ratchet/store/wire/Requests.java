/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.wire;

import com.apple.foundationdb.KeySelector;
import dev.ratchet.protocol.store.v1.Commit;
import dev.ratchet.protocol.store.v1.EstimatedSize;
import dev.ratchet.protocol.store.v1.Get;
import dev.ratchet.protocol.store.v1.ReadVersion;
import dev.ratchet.protocol.store.v1.Request;
import dev.ratchet.protocol.store.v1.Resolve;
import dev.ratchet.protocol.store.v1.Settle;
import dev.ratchet.protocol.store.v1.SplitPoints;
import dev.ratchet.protocol.store.v1.Status;
import dev.ratchet.protocol.store.v1.Watch;
import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.KeyRange;
import dev.ratchet.store.transaction.Mutation;
import dev.ratchet.store.transaction.RangeRead;
import dev.ratchet.store.transaction.ReadVersionRequest;
import dev.ratchet.store.transaction.RequestId;
import dev.ratchet.store.transaction.WatchRequest;
import java.util.ArrayList;
import java.util.List;

/** Calls of a connection as messages, and back. */
public final class Requests {

    private Requests() {}

    public static Request readVersion(long id, ReadVersionRequest call) {
        return Request.newBuilder().setId(id).setReadVersion(readVersion(call)).build();
    }

    private static ReadVersion.Builder readVersion(ReadVersionRequest call) {
        return ReadVersion.newBuilder()
                .setCausalReadRisky(call.causalReadRisky())
                .setLockAware(call.lockAware());
    }

    public static ReadVersionRequest readVersion(ReadVersion message) {
        return new ReadVersionRequest(message.getCausalReadRisky(), message.getLockAware());
    }

    public static Request get(long id, long version, byte[] key) {
        return Request.newBuilder()
                .setId(id)
                .setGet(Get.newBuilder().setVersion(version).setKey(Wire.bytes(key)))
                .build();
    }

    /** At a new read version. */
    public static Request get(long id, ReadVersionRequest version, byte[] key) {
        return Request.newBuilder()
                .setId(id)
                .setGet(Get.newBuilder().setAtNew(readVersion(version)).setKey(Wire.bytes(key)))
                .build();
    }

    public static Request resolve(long id, long version, KeySelector selector) {
        return Request.newBuilder()
                .setId(id)
                .setResolve(Resolve.newBuilder().setVersion(version).setSelector(Wire.selector(selector)))
                .build();
    }

    public static KeySelector selector(Resolve message) {
        return Wire.selector(message.getSelector());
    }

    public static Request range(long id, RangeRead call) {
        return Request.newBuilder()
                .setId(id)
                .setRange(dev.ratchet.protocol.store.v1.RangeRead.newBuilder()
                        .setVersion(call.version())
                        .setBegin(Wire.selector(call.begin()))
                        .setEnd(Wire.selector(call.end()))
                        .setRowLimit(call.rowLimit())
                        .setByteLimit(call.byteLimit())
                        .setReverse(call.reverse()))
                .build();
    }

    /** The read asked for, with its byte limit lowered to what one answer carries. */
    public static RangeRead range(dev.ratchet.protocol.store.v1.RangeRead message) {
        return new RangeRead(
                message.getVersion(),
                Wire.selector(message.getBegin()),
                Wire.selector(message.getEnd()),
                message.getRowLimit(),
                Math.min(message.getByteLimit(), StoreProtocol.ROWS_BYTES),
                message.getReverse());
    }

    public static Request commit(long id, CommitRequest call, long sequence) {
        Commit.Builder message = Commit.newBuilder()
                .setReadVersion(call.readVersion())
                .setSizeBytes(call.sizeBytes())
                .setSequence(sequence)
                .setLockAware(call.lockAware())
                .setReportConflicts(call.reportConflicts());
        for (KeyRange range : call.readConflicts()) {
            message.addReadConflicts(Wire.range(range));
        }
        for (KeyRange range : call.writeConflicts()) {
            message.addWriteConflicts(Wire.range(range));
        }
        for (Mutation mutation : call.mutations()) {
            message.addMutations(dev.ratchet.protocol.store.v1.Mutation.newBuilder()
                    .setType(mutation.type())
                    .setKey(Wire.bytes(mutation.key()))
                    .setParam(Wire.bytes(mutation.param())));
        }
        return Request.newBuilder().setId(id).setCommit(message).build();
    }

    public static CommitRequest commit(Commit message, long clientId) {
        List<Mutation> mutations = new ArrayList<>(message.getMutationsCount());
        for (dev.ratchet.protocol.store.v1.Mutation mutation : message.getMutationsList()) {
            mutations.add(new Mutation(
                    mutation.getType(),
                    mutation.getKey().toByteArray(),
                    mutation.getParam().toByteArray()));
        }
        return new CommitRequest(
                message.getReadVersion(),
                ranges(message.getReadConflictsList()),
                ranges(message.getWriteConflictsList()),
                mutations,
                message.getSizeBytes(),
                new RequestId(clientId, message.getSequence()),
                message.getLockAware(),
                message.getReportConflicts(),
                true);
    }

    static List<KeyRange> ranges(List<dev.ratchet.protocol.store.v1.KeyRange> messages) {
        List<KeyRange> ranges = new ArrayList<>(messages.size());
        for (dev.ratchet.protocol.store.v1.KeyRange message : messages) {
            ranges.add(Wire.range(message));
        }
        return ranges;
    }

    public static Request settle(long id, long sequence) {
        return Request.newBuilder()
                .setId(id)
                .setSettle(Settle.newBuilder().setSequence(sequence))
                .build();
    }

    public static Request watch(long id, WatchRequest call) {
        Watch.Builder message =
                Watch.newBuilder().setKey(Wire.bytes(call.key())).setVersion(call.version());
        byte[] expected = call.expected();
        if (expected != null) {
            message.setExpected(Wire.bytes(expected));
        }
        return Request.newBuilder().setId(id).setWatch(message).build();
    }

    public static WatchRequest watch(Watch message) {
        return new WatchRequest(
                message.getKey().toByteArray(),
                message.hasExpected() ? message.getExpected().toByteArray() : null,
                message.getVersion());
    }

    public static Request estimatedSize(long id, byte[] begin, byte[] end) {
        return Request.newBuilder()
                .setId(id)
                .setEstimatedSize(
                        EstimatedSize.newBuilder().setBegin(Wire.bytes(begin)).setEnd(Wire.bytes(end)))
                .build();
    }

    public static Request splitPoints(long id, byte[] begin, byte[] end, long chunkBytes) {
        return Request.newBuilder()
                .setId(id)
                .setSplitPoints(SplitPoints.newBuilder()
                        .setBegin(Wire.bytes(begin))
                        .setEnd(Wire.bytes(end))
                        .setChunkBytes(chunkBytes))
                .build();
    }

    public static Request status(long id) {
        return Request.newBuilder()
                .setId(id)
                .setStatus(Status.getDefaultInstance())
                .build();
    }
}
