/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.environment.Environment;
import dev.ratchet.futures.nesting.RunningTask;
import dev.ratchet.futures.nesting.TaskCall.Ended;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.object.ObjectStoreFullException;
import dev.ratchet.futures.object.ObjectWriter;
import dev.ratchet.protocol.isolation.v1.FromProcess;
import dev.ratchet.protocol.isolation.v1.Granted;
import dev.ratchet.protocol.isolation.v1.Interrupt;
import dev.ratchet.protocol.isolation.v1.NeedRoom;
import dev.ratchet.protocol.isolation.v1.ReadStore;
import dev.ratchet.protocol.isolation.v1.Refused;
import dev.ratchet.protocol.isolation.v1.Returned;
import dev.ratchet.protocol.isolation.v1.SharedBytes;
import dev.ratchet.protocol.isolation.v1.StoreValue;
import dev.ratchet.protocol.isolation.v1.ToProcess;
import dev.ratchet.protocol.isolation.v1.WriteStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The conversation of one attempt with the process that runs it: answers what the task asks of its worker, on the
 * thread that has the slot, until the task has ended or its process has. When that thread is interrupted the task is
 * interrupted, and has the grace to end.
 */
final class IsolatedCall implements AutoCloseable {

    private final ProcessAttempt attempt;
    private final Host.Guest guest;
    private final RunningTask task;
    private final ObjectStore objects;
    private final ObjectName name;
    private final Handover handover;
    private final long graceNanos;
    private final Environment environment;
    private boolean isSuspended;
    private boolean isStopped;
    private long deadlineNanos;
    private @Nullable ObjectWriter writer;
    private @Nullable SharedBytes ownRoom;
    private @Nullable SharedBytes stateRoom;

    IsolatedCall(
            ProcessAttempt attempt,
            Host.Guest guest,
            ObjectName name,
            RunningTask task,
            ObjectStore objects,
            Handover handover,
            long graceMillis,
            Environment environment) {
        this.attempt = attempt;
        this.guest = guest;
        this.task = task;
        this.objects = objects;
        this.name = name;
        this.handover = handover;
        this.graceNanos = graceMillis * 1_000_000;
        this.environment = environment;
    }

    /** Whether the task was told to end. */
    boolean isStopped() {
        return isStopped;
    }

    /** Answers until the task ends; nothing if the process has ended instead, or the grace is over. */
    Optional<Ended> converse() throws IOException {
        while (true) {
            Optional<FromProcess> said = next();
            if (said.isEmpty()) {
                return Optional.empty();
            }
            FromProcess message = said.get();
            switch (message.getMessageCase()) {
                case WAITING -> {
                    suspend();
                    attempt.send(granted());
                }
                case RESUME -> {
                    resume();
                    attempt.send(granted());
                }
                case READ_STORE -> attempt.send(read(message.getReadStore()));
                case WRITE_STORE -> attempt.send(write(message.getWriteStore()));
                case NEED_ROOM -> attempt.send(room(message.getNeedRoom()));
                case RETURNED -> {
                    return Optional.of(returned(message.getReturned()));
                }
                case THREW -> {
                    return Optional.of(new Ended.Threw(
                            message.getThrew().getFailure(), message.getThrew().getPermanent()));
                }
                case MESSAGE_NOT_SET -> throw new IOException("The process said nothing that is known here");
            }
        }
    }

    private Optional<FromProcess> next() {
        while (true) {
            try {
                return isStopped ? attempt.receive(deadlineNanos - environment.nanoTime()) : attempt.receive();
            } catch (InterruptedException stop) {
                if (!isStopped) {
                    isStopped = true;
                    deadlineNanos = environment.nanoTime() + graceNanos;
                    attempt.send(ToProcess.newBuilder()
                            .setInterrupt(Interrupt.getDefaultInstance())
                            .build());
                }
            }
        }
    }

    private void suspend() {
        if (!isSuspended) {
            isSuspended = true;
            guest.suspend();
            task.slot().giveBack();
        }
    }

    private void resume() {
        if (isSuspended) {
            guest.resume(isStopped);
            isSuspended = false;
            task.slot().takeAgain();
        }
    }

    private ToProcess read(ReadStore question) {
        try {
            StoreValue.Builder value = StoreValue.newBuilder();
            task.store()
                    .get(question.getKey().toByteArray())
                    .ifPresent(found -> value.setValue(UnsafeByteOperations.unsafeWrap(found)));
            return ToProcess.newBuilder().setStoreValue(value).build();
        } catch (InvalidInputException refused) {
            return refused(String.valueOf(refused.getMessage()));
        }
    }

    private ToProcess write(WriteStore entry) {
        try {
            byte[] key = entry.getKey().toByteArray();
            if (entry.hasValue()) {
                task.store().set(key, entry.getValue().toByteArray());
            } else {
                task.store().clear(key);
            }
            return granted();
        } catch (InvalidInputException refused) {
            return refused(String.valueOf(refused.getMessage()));
        }
    }

    private ToProcess room(NeedRoom need) {
        if (need.getActorState()) {
            stateRoom = handover.room(need.getBytes());
            return ToProcess.newBuilder().setRoom(stateRoom).build();
        }
        try {
            ObjectWriter room = objects.begin(name, need.getBytes());
            writer = room;
            SharedBytes where = room.shared().orElse(null);
            if (where == null) {
                where = handover.room(need.getBytes());
                ownRoom = where;
            }
            return ToProcess.newBuilder().setRoom(where).build();
        } catch (ObjectStoreFullException | UncheckedIOException full) {
            return refused(String.valueOf(full.getMessage()));
        }
    }

    private Ended returned(Returned returned) throws IOException {
        SharedBytes large = stateRoom;
        ByteString state = large == null ? returned.getActorState() : read(large);
        ObjectWriter room = writer;
        if (!returned.getShared() || room == null) {
            ByteString value = returned.getInline();
            return new Ended.Returned(value.toByteArray(), state);
        }
        SharedBytes copied = ownRoom;
        if (copied == null) {
            return new Ended.Stored(room.completeShared(returned.getChecksum()), state);
        }
        try (FileChannel file = FileChannel.open(Path.of(copied.getFile()))) {
            room.write(file.map(FileChannel.MapMode.READ_ONLY, 0, file.size()));
        }
        return new Ended.Stored(room.complete(returned.getChecksum()), state);
    }

    private static ByteString read(SharedBytes written) throws IOException {
        try (InputStream in = SharedMemory.read(written).open()) {
            return ByteString.readFrom(in);
        }
    }

    private static ToProcess granted() {
        return ToProcess.newBuilder().setGranted(Granted.getDefaultInstance()).build();
    }

    private static ToProcess refused(String why) {
        return ToProcess.newBuilder()
                .setRefused(Refused.newBuilder().setMessage(why))
                .build();
    }

    /** Takes back what the conversation has not: its slot, and room for a result that did not come. */
    @Override
    public void close() {
        if (isSuspended) {
            task.slot().takeAgain();
        }
        ObjectWriter room = writer;
        if (room != null) {
            room.close();
        }
    }
}
