/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.nesting;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Progress;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SessionInfo;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.TaskStore;
import dev.ratchet.environment.Environment;
import dev.ratchet.futures.client.Caller;
import dev.ratchet.futures.client.ClientHub;
import dev.ratchet.futures.code.Digests;
import dev.ratchet.futures.generator.ItemEmitter;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.SubmittedFutureOrBuilder;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.logs.v1.TaskProgress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a task, as a caller of the cluster. The id of a child follows from the parent's id and from what the
 * child is: its code, its argument, its upstreams, and how many equal ones came before it. So an attempt that is
 * repeated submits its children under their former ids, which changes nothing, and finds their outcomes. Safe for use
 * by several threads.
 */
public final class AttemptContext implements TaskContext, Caller {

    private final Supplier<ClientHub> hub;
    private final FutureId id;
    private final FutureRecord record;
    private final List<ByteString> artifacts;
    private final Slot slot;
    private final TaskStore store;
    private final ProgressReports reports;
    private final Map<ByteBuffer, Integer> submitted = new HashMap<>();
    private @Nullable Ratchet ratchet;

    /**
     * @param hub the connection of this process; asked for when the task wants something of the cluster
     * @param record as it was claimed
     * @param artifacts digests of the code of the task, which is that of its children, too
     * @param slot what the thread of the attempt occupies
     */
    public AttemptContext(
            Supplier<ClientHub> hub,
            FutureId id,
            FutureRecord record,
            List<ByteString> artifacts,
            Slot slot,
            TaskStore store) {
        this.store = store;
        this.hub = hub;
        this.id = id;
        this.record = record;
        this.artifacts = artifacts;
        this.slot = slot;
        this.reports = new ProgressReports(
                () -> hub.get().connection(), Ids.bytes(id), record.getClaim().getEpoch());
    }

    @Override
    public FutureId id() {
        return id;
    }

    @Override
    public TaskStore store() {
        return store;
    }

    @Override
    public void progress(long done, long total, String note) {
        if (note.length() > Progress.NOTE_LENGTH_MAX || done < 0 || total < 0) {
            throw new InvalidInputException("Progress is at least 0 of at least 0, with a note of at most "
                    + Progress.NOTE_LENGTH_MAX + " characters; not " + done + " of " + total + " with "
                    + note.length() + " characters.");
        }
        reports.say(TaskProgress.newBuilder()
                .setDone(done)
                .setTotal(total)
                .setNote(note)
                .setSaidWallMillis(hub.get().connection().environment().wallClockMillis())
                .build());
    }

    @Override
    public int attempt() {
        return record.getNumAttempts();
    }

    @Override
    public String seat() {
        return record.getClaim().getSeat();
    }

    @Override
    public Optional<SessionInfo> session() {
        ByteString session = record.getSchedulingSpec().getSession().getId();
        return session.isEmpty()
                ? Optional.empty()
                : ratchet().sessions().describe(Ids.of(session).value());
    }

    /** Where the task emits its items, if it is a generator. */
    public ItemEmitter emitter() {
        return new ItemEmitter(
                hub.get().connection(),
                this,
                id,
                record.getClaim(),
                record.getSchedulingSpec().getItemsAhead());
    }

    @Override
    public synchronized Ratchet ratchet() {
        Ratchet present = ratchet;
        if (present == null) {
            present = hub.get().of(this, artifacts);
            ratchet = present;
        }
        return present;
    }

    @Override
    public Optional<FutureId> parent() {
        return Optional.of(id);
    }

    @Override
    public Optional<ClaimToken> claim() {
        return Optional.of(record.getClaim());
    }

    @Override
    public SubmitOptions defaultOptions() {
        return SubmitOptions.ofJob(record.getJob());
    }

    @Override
    public FutureId newId(SubmittedFutureOrBuilder content, Environment environment) {
        MessageDigest digest = Digests.sha256();
        digest.update(Ids.bytes(id).toByteArray());
        digest.update(content.getFunction().asReadOnlyByteBuffer());
        digest.update((byte) content.getArgumentKind().getNumber());
        digest.update(ByteBuffer.allocate(Integer.BYTES)
                .putInt(content.getUpstreamsCount())
                .flip());
        content.getUpstreamsList().forEach(upstream -> digest.update(upstream.asReadOnlyByteBuffer()));
        digest.update(content.getActor().asReadOnlyByteBuffer());
        digest.update(content.getArgument().asReadOnlyByteBuffer());
        ByteBuffer same = ByteBuffer.wrap(digest.digest());
        int before;
        synchronized (submitted) {
            before = submitted.merge(same, 1, Integer::sum);
        }
        digest.update(same.duplicate());
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(before).flip());
        return FutureId.ofDigest(digest.digest());
    }

    @Override
    public Pause pause() {
        if (!slot.isMine()) {
            return () -> {};
        }
        slot.giveBack();
        return slot::takeAgain;
    }
}
