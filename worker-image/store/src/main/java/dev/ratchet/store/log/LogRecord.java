/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import dev.ratchet.store.engine.CommittedBatch;
import dev.ratchet.store.transaction.Mutation;
import dev.ratchet.store.transaction.RequestId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One frame of the log.
 *
 * @param durableBefore position in the file up to which everything was durable when this was written: a frame that is
 *     damaged before it was not torn by a crash
 * @param batch the commits, null for a mark that only says that all before it is whole
 */
record LogRecord(long durableBefore, @Nullable CommittedBatch batch) {

    private static final int BATCH = 1;
    private static final int MARK = 2;
    /** As {@link #BATCH}, with changes that append: for who does not know those, this is an unknown kind. */
    private static final int BATCH_WITH_APPENDS = 3;

    static void write(FrameWriter out, long durableBefore, CommittedBatch batch) {
        out.begin();
        boolean appends = batch.changes().stream().anyMatch(change -> change.type() == Mutation.APPEND_IF_FITS);
        out.putByte(appends ? BATCH_WITH_APPENDS : BATCH);
        out.putLong(durableBefore);
        out.putLong(batch.version());
        out.putLong(batch.reservedVersion());
        out.putCount(batch.requests().size());
        for (CommittedBatch.Named named : batch.requests()) {
            out.putLong(named.id().client());
            out.putLong(named.id().sequence());
            out.putCount(named.batchIndex());
        }
        out.putCount(batch.changes().size());
        for (Mutation change : batch.changes()) {
            out.putByte(change.type());
            out.putBytes(change.key());
            out.putBytes(change.param());
        }
        out.end();
    }

    static void writeMark(FrameWriter out, long durableBefore) {
        out.begin();
        out.putByte(MARK);
        out.putLong(durableBefore);
        out.end();
    }

    static LogRecord read(ByteBuffer payload) {
        int kind = payload.get();
        long durableBefore = payload.getLong();
        if (kind == MARK) {
            return new LogRecord(durableBefore, null);
        }
        if (kind != BATCH && kind != BATCH_WITH_APPENDS) {
            throw new IllegalStateException("a sound frame of the log has the unknown kind " + kind);
        }
        long version = payload.getLong();
        long reserved = payload.getLong();
        int requests = LogFrames.takeCount(payload);
        List<CommittedBatch.Named> named = new ArrayList<>(requests);
        for (int i = 0; i < requests; i++) {
            RequestId id = new RequestId(payload.getLong(), payload.getLong());
            named.add(new CommittedBatch.Named(id, LogFrames.takeCount(payload)));
        }
        int changes = LogFrames.takeCount(payload);
        List<Mutation> mutations = new ArrayList<>(changes);
        for (int i = 0; i < changes; i++) {
            mutations.add(new Mutation(payload.get(), LogFrames.takeBytes(payload), LogFrames.takeBytes(payload)));
        }
        return new LogRecord(durableBefore, new CommittedBatch(version, reserved, mutations, named));
    }
}
