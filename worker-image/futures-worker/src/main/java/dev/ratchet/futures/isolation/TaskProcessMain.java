/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.RatchetException;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.actor.ActorSnapshot;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.actor.GivenState;
import dev.ratchet.futures.actor.LiveActors;
import dev.ratchet.futures.client.ClientHub;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.code.CodeLoaders;
import dev.ratchet.futures.code.LoadedFunction;
import dev.ratchet.futures.code.Serialized;
import dev.ratchet.futures.model.Failures;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.nesting.AttemptContext;
import dev.ratchet.futures.nesting.TaskCall;
import dev.ratchet.futures.nesting.TaskCall.Ended;
import dev.ratchet.protocol.futures.v1.Failure;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.isolation.v1.Attempt;
import dev.ratchet.protocol.isolation.v1.Bytes;
import dev.ratchet.protocol.isolation.v1.FromProcess;
import dev.ratchet.protocol.isolation.v1.NeedRoom;
import dev.ratchet.protocol.isolation.v1.Returned;
import dev.ratchet.protocol.isolation.v1.SharedBytes;
import dev.ratchet.protocol.isolation.v1.Threw;
import dev.ratchet.protocol.isolation.v1.Value;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A process that runs isolated tasks, until its worker ends it or is gone: one after the other on its main thread, and
 * hosted ones beside those that wait for other futures. TERM interrupts them and leaves them the grace to end.
 */
public final class TaskProcessMain {

    private static final Duration CALL_TIMEOUT = Duration.ofMinutes(10);

    private final String namespace;
    private final String cluster;
    private final String gateway;
    private final long graceMillis;
    private final WorkerLink worker;
    private final SystemEnvironment environment = new SystemEnvironment();
    private final CodeLoaders code = new CodeLoaders();
    private final LiveActors actors = new LiveActors();
    private volatile boolean ending;
    private @Nullable ClientHub hub;

    private TaskProcessMain(String namespace, String cluster, String gateway, long graceMillis, String socket)
            throws IOException {
        this.namespace = namespace;
        this.cluster = cluster;
        this.gateway = gateway;
        this.graceMillis = graceMillis;
        this.worker = new WorkerLink(socket, this::host, this::orphaned);
    }

    /**
     * Namespace and cluster, the socket of the worker's gateway, the grace in milliseconds, the socket of the worker.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        MarkedOutput.install();
        TaskProcessMain process = new TaskProcessMain(
                arguments[0], arguments[1], arguments[2], Long.parseLong(arguments[3]), arguments[4]);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(process::end));
        while (true) {
            process.serve(process.worker.next());
        }
    }

    private void host(GivenAttempt attempt) {
        Thread.ofVirtual().name("ratchet-hosted").start(() -> serve(attempt));
    }

    /** Runs one attempt on the calling thread and says how it has ended, unless it was the end of this process. */
    private void serve(GivenAttempt attempt) {
        attempt.begin();
        FromProcess outcome;
        try {
            outcome = run(attempt, attempt.content());
        } catch (RuntimeException | Error unexpected) {
            String seat = attempt.content().getRecord().getClaim().getSeat();
            outcome = threw(Failures.of(FailureKind.FAILURE_KIND_CODE, unexpected, seat), false);
        } finally {
            attempt.end();
        }
        if (!(ending && outcome.hasThrew())) {
            attempt.tell(outcome);
        }
    }

    /** The worker is gone: nobody wants what runs here. */
    private void orphaned() {
        end();
        Runtime.getRuntime().halt(1);
    }

    /** Processes that tasks have started end with this one. */
    private void end() {
        interruptTasks();
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    }

    /** Where a task has itself asked this process to end, the others have not failed, and it can not be waited for. */
    private void interruptTasks() {
        List<GivenAttempt> attempts = worker.attempts();
        if (attempts.stream().anyMatch(GivenAttempt::isExiting)) {
            return;
        }
        ending = true;
        attempts.forEach(GivenAttempt::interrupt);
        long deadline = environment.nanoTime() + graceMillis * 1_000_000;
        try {
            for (GivenAttempt attempt : attempts) {
                attempt.awaitEnd(deadline - environment.nanoTime());
            }
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        }
    }

    private FromProcess run(GivenAttempt given, Attempt attempt) {
        FutureId id = Ids.of(attempt.getId());
        String seat = attempt.getRecord().getClaim().getSeat();
        List<Path> files = attempt.getArtifactsList().stream().map(Path::of).toList();
        try (LoadedFunction function = code.load(attempt.getFunction(), attempt.getCode(), files)) {
            Map<FutureId, Serialized> values = new HashMap<>();
            for (Value value : attempt.getValuesList()) {
                values.put(Ids.of(value.getFuture()), serialized(value.getContent()));
            }
            TaskCall.Inputs inputs = new TaskCall.Inputs(
                    function,
                    serialized(attempt.getArgument()),
                    attempt.getUpstreamsList().stream().map(Ids::of).toList(),
                    values,
                    actor(attempt),
                    actors);
            AttemptContext context = new AttemptContext(
                    this::hub,
                    id,
                    attempt.getRecord(),
                    function.artifacts(),
                    new WorkerSlot(given, Thread.currentThread()),
                    new WorkerStore(given));
            return switch (new TaskCall(id, attempt.getRecord(), inputs).run(context)) {
                case Ended.Returned returned -> returned(given, returned, seat);
                case Ended.Threw threw -> threw(threw.failure(), threw.permanent());
                case Ended.Stored unschedulable -> throw new IllegalStateException("There is no object store here");
                case Ended.Displaced unschedulable -> throw new IllegalStateException("Only the worker displaces");
            };
        } catch (IOException deletedMeanwhile) {
            return threw(Failures.of(FailureKind.FAILURE_KIND_CODE, deletedMeanwhile, seat), false);
        }
    }

    private FromProcess returned(GivenAttempt attempt, Ended.Returned returned, String seat) throws IOException {
        byte[] value = returned.value();
        Returned.Builder message = Returned.newBuilder();
        if (returned.actor().size() <= ActorStates.RECORD_BYTES_MAX) {
            message.setActorState(returned.actor());
        } else {
            SharedMemory.write(
                    room(
                            attempt,
                            NeedRoom.newBuilder().setActorState(true),
                            returned.actor().size()),
                    returned.actor().toByteArray());
        }
        if (value.length <= Handover.INLINE_BYTES_MAX) {
            message.setInline(UnsafeByteOperations.unsafeWrap(value));
        } else {
            try {
                SharedMemory.write(room(attempt, NeedRoom.newBuilder(), value.length), value);
            } catch (RatchetException full) {
                return threw(Failures.of(FailureKind.FAILURE_KIND_RESULT, full, seat), false);
            }
            CRC32C checksum = new CRC32C();
            checksum.update(value);
            message.setShared(true).setChecksum((int) checksum.getValue());
        }
        return FromProcess.newBuilder().setReturned(message).build();
    }

    private static SharedBytes room(GivenAttempt attempt, NeedRoom.Builder need, int bytes) {
        return attempt.ask(FromProcess.newBuilder()
                        .setNeedRoom(need.setBytes(bytes))
                        .build())
                .getRoom();
    }

    private static GivenState actor(Attempt attempt) throws IOException {
        try (InputStream content = serialized(attempt.getActorContent()).open()) {
            return new GivenState(
                    new ActorSnapshot(attempt.getActorWriter(), attempt.getActorState()),
                    ByteString.readFrom(content),
                    attempt.getActorBytesMax());
        }
    }

    private static FromProcess threw(Failure failure, boolean permanent) {
        return FromProcess.newBuilder()
                .setThrew(Threw.newBuilder().setFailure(failure).setPermanent(permanent))
                .build();
    }

    private static Serialized serialized(Bytes bytes) throws IOException {
        return bytes.hasShared() ? SharedMemory.read(bytes.getShared()) : bytes.getInline()::newInput;
    }

    /** The connection of this process to its worker's gateway, made when it is first needed. */
    private synchronized ClientHub hub() {
        ClientHub present = hub;
        if (present == null) {
            GatewayConnection connection = new GatewayConnection(
                    namespace, cluster, List.of(gateway), LocalGateway::dial, environment, CALL_TIMEOUT);
            present = new ClientHub(connection, CALL_TIMEOUT);
            hub = present;
        }
        return present;
    }
}
