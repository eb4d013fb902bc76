/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.simulated.SimulatedExecutions.Execution;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.client.simulated.SimulatedTask.Kind;
import dev.ratchet.futures.check.ClusterCheck;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.session.SessionKeys;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.SubmitReply;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.SessionBinding;
import dev.ratchet.protocol.sessions.v1.AskSlotsReply;
import dev.ratchet.protocol.sessions.v1.AskSlotsRequest;
import dev.ratchet.protocol.sessions.v1.CloseSessionRequest;
import dev.ratchet.protocol.sessions.v1.HeldSlot;
import dev.ratchet.protocol.sessions.v1.OpenSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionDescription;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import dev.ratchet.protocol.sessions.v1.SlotsAnswer;
import dev.ratchet.protocol.sessions.v1.SlotsRequest;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import dev.ratchet.simulation.store.StoreFaults;
import dev.ratchet.simulation.world.VirtualProcess;
import dev.ratchet.simulation.world.VirtualWorld;
import dev.ratchet.store.keyspace.Table;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sessions while workers die and the store fails: no slot has code of two sessions at once (T1, T21), what a session
 * runs is on one incarnation at a time (T2), a slot's token only grows, everybody is answered, and nothing is left
 * behind (T4, T10, T14). Some sessions go on after a restart (T11), some are handed over (T13), some take the slot of a
 * host. More seeds: {@code -Dratchet.sessionSeeds=100000}.
 */
class SessionScenarioTest {

    private static final int SESSIONS = 24;
    private static final long RETRY_MILLIS = 400;
    private static final long TOGETHER_MILLIS = 300;
    private static final long CREATION_MILLIS = 20_000;
    private static final long RESTART_MILLIS = 30_000;
    private static final long LOOK_MILLIS = 500;

    @TempDir
    Path directory;

    private FuturesCluster futures;
    private VirtualProcess client;
    private final Map<UUID, SessionRecord> opened = new HashMap<>();
    private final Map<FutureId, UUID> sessionOf = new HashMap<>();
    private final Map<UUID, List<Execution>> ran = new HashMap<>();
    private final Map<UUID, SessionState> ends = new LinkedHashMap<>();
    private final Set<String> tokens = new HashSet<>();
    private final Set<UUID> expected = new HashSet<>();
    private final Set<UUID> goingOn = new HashSet<>();
    private final Map<SlotsRequest, Consumer<SlotsAnswer>> asked = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();
    private boolean quiet;
    private long executionMillis;
    private SimulatedTask work = new SimulatedTask(10_000, 40_000, Kind.SMALL);

    static LongStream seeds() {
        long first = Long.getLong("ratchet.firstSeed", 1);
        int others = Integer.getInteger("ratchet.seeds", 150);
        return LongStream.range(first, first + Integer.getInteger("ratchet.sessionSeeds", Math.max(6, others / 25)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @DisplayName("T9: a paused worker records nothing for a session that is over, whose slot another one has")
    void aPausedWorkerRecordsNothing(long seed) {
        quiet = true;
        try (FuturesCluster cluster = new FuturesCluster(seed, 1, directory)) {
            futures = cluster;
            client = new VirtualProcess(cluster.cluster.world, "sessions", 0);
            cluster.executions.observe(this::begun);
            SlotDemand gpu = SlotDemand.newBuilder().putSlots("gpu", 1).build();
            UUID first = new UUID(seed, 1);
            open(first, gpu, null);
            cluster.cluster.world.until("seed " + seed + ": its code runs", 60_000, () -> ran.containsKey(first));
            SimulatedWorker paused = cluster.workers.getFirst();
            paused.process().pause();
            cluster.workers.set(0, cluster.cluster.start("orders-w-0", "pod-again", 1, "10.0.1.9:7400", 0));
            UUID second = new UUID(seed, 2);
            open(second, gpu, null);
            cluster.cluster.world.until(
                    "seed " + seed + ": another session has the slot", 200_000, () -> opened.containsKey(second));
            assertThat(opened.get(second).getSlots(0).getToken())
                    .as("seed " + seed)
                    .isGreaterThan(opened.get(first).getSlots(0).getToken());
            paused.process().resume();
            cluster.cluster.world.until("seed " + seed + ": the paused one has ended", 100_000, paused::isGone);
            FutureId former = sessionOf.entrySet().stream()
                    .filter(one -> one.getValue().equals(first))
                    .findFirst()
                    .orElseThrow()
                    .getKey();
            assertThat(cluster.record(former).getFailure().getKind())
                    .as("seed " + seed)
                    .isEqualTo(FailureKind.FAILURE_KIND_SESSION);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @DisplayName("T18, T21: a session whose time is over is known for as long as its code has the slot")
    void aFailedSessionIsKnownAsLongAsItsCodeHasTheSlot(long seed) {
        quiet = true;
        executionMillis = 5_000;
        work = new SimulatedTask(10_000, 900_000, Kind.DEAF);
        try (FuturesCluster cluster = new FuturesCluster(seed, 1, directory)) {
            futures = cluster;
            client = new VirtualProcess(cluster.cluster.world, "sessions", 0);
            cluster.executions.observe(this::begun);
            UUID session = new UUID(seed, 1);
            open(session, SlotDemand.newBuilder().putSlots("gpu", 1).build(), null);
            cluster.cluster.world.until("seed " + seed + ": its code runs", 60_000, () -> ran.containsKey(session));
            cluster.cluster.world.run(800_000);
            assertThat(ran.get(session)).as("seed " + seed).anyMatch(Execution::isLive);
            requireConsistency(seed);
            untilStored(
                    "seed " + seed + ": nothing is held or known any more",
                    250_000,
                    () -> isEmpty() && isEmpty(new SessionKeys(new FutureKeys(cluster.cluster.keyspace)).records));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @DisplayName("T1, T2, T4, T10, T11, T13, T14, T21: no slot is shared, and nothing is left behind")
    void noSlotIsSharedAndNothingIsLeftBehind(long seed) {
        try (FuturesCluster cluster = new FuturesCluster(seed, 3, directory)) {
            futures = cluster;
            client = new VirtualProcess(cluster.cluster.world, "sessions", 0);
            cluster.executions.observe(this::begun);
            tell();
            cluster.cluster.world.until(
                    "seed " + seed + ": every session has ended",
                    400_000,
                    () -> expected.size() >= SESSIONS && ends.keySet().containsAll(expected));
            cluster.cluster.engine.setFaults(StoreFaults.NONE);
            untilStored("seed " + seed + ": nothing is held any more", 120_000, this::isEmpty);

            assertThat(violations).as("seed " + seed).isEmpty();
            assertThat(ends.values())
                    .as("seed " + seed)
                    .containsAnyOf(SessionState.SESSION_STATE_CLOSING, SessionState.SESSION_STATE_CLOSED);
            requireConsistency(seed);
        }
    }

    private void requireConsistency(long seed) {
        FutureStore store = new FutureStore(
                futures.cluster.database, new FutureKeys(futures.cluster.keyspace), futures.cluster.bystander());
        assertThat(futures.cluster
                        .await(new ClusterCheck(store, new StoredMembers(futures.cluster.keyspace)).run())
                        .violations())
                .as("seed " + seed)
                .isEmpty();
    }

    /** Sessions that come one after the other, while workers and commits are lost. */
    private void tell() {
        SplittableRandom random = futures.cluster.world.random();
        for (int i = 0; i < SESSIONS; i++) {
            UUID id = new UUID(random.nextLong(), random.nextLong());
            SlotDemand.Builder demand = SlotDemand.newBuilder();
            switch (random.nextInt(4)) {
                case 3 -> demand.putSlots("port", 1);
                case 0 -> demand.putSlots("gpu", 1);
                case 1 -> demand.putSlots("gpu", 1).putSlots("disk", 2);
                default -> demand.putSlots("disk", 1);
            }
            long millis = random.nextLong(30_000);
            futures.cluster.later(millis, () -> client.executor().execute(() -> open(id, demand.build(), null)));
            expected.add(id);
            if (random.nextInt(3) == 0) {
                goingOn.add(id);
            }
        }
        futures.cluster.later(
                random.nextLong(20_000), () -> futures.cluster.engine.setFaults(new StoreFaults(60, 60, 20, 20, 0)));
        for (int i = 0; i < 2; i++) {
            int seat = random.nextInt(3);
            long millis = 5_000 + random.nextLong(30_000);
            futures.cluster.later(millis, () -> replace(seat));
        }
    }

    private void replace(int seat) {
        SimulatedWorker former = futures.workers.get(seat);
        if (!former.isGone()) {
            former.kill();
            String name = "orders-w-" + seat;
            int boot = futures.cluster.workers().size();
            futures.workers.set(
                    seat, futures.cluster.start(name, "pod-" + name + "-" + boot, 1, "10.0.1." + boot + ":7400", 0));
        }
    }

    /** @param former the session that is handed over to this one, if one is */
    private void open(UUID id, SlotDemand demand, @Nullable UUID former) {
        OpenSessionRequest.Builder request = OpenSessionRequest.newBuilder()
                .setId(SessionIds.bytes(id))
                .setDemand(demand)
                .setCreationTimeoutMillis(CREATION_MILLIS)
                .setOwnerSecret(SessionIds.bytes(id))
                .setUserSecret(SessionIds.bytes(id))
                .setExecutionTimeoutMillis(executionMillis)
                .setReestablishMillis(goingOn.contains(id) ? RESTART_MILLIS : 0)
                .setWaitForCapacity(true);
        if (former != null) {
            request.setPredecessor(SessionIds.bytes(former)).setPredecessorSecret(SessionIds.bytes(former));
        }
        if (former == null && futures.cluster.world.random().nextBoolean()) {
            SlotsRequest opening =
                    SlotsRequest.newBuilder().setOpen(request).setBrief(true).build();
            // What it has is told by a call of its own, as is what becomes of one that waits.
            ask(opening, answer -> open(id, request.build(), null));
            return;
        }
        open(id, request.build(), former);
    }

    private void open(UUID id, OpenSessionRequest request, @Nullable UUID former) {
        SlotDemand demand = request.getDemand();
        this.<SessionDescription>call(
                (stub, answer) -> stub.openSession(request, answer),
                () -> open(id, demand, former),
                () -> {
                    // What is over can not be handed over.
                    expected.remove(id);
                    close(Objects.requireNonNull(former), true);
                },
                reply -> {
                    if (former != null) {
                        ends.putIfAbsent(former, SessionState.SESSION_STATE_CLOSING);
                    }
                    SessionRecord session = reply.getRecord();
                    switch (session.getState()) {
                        case SESSION_STATE_WAITING -> open(id, demand, former);
                        case SESSION_STATE_OPEN -> use(id, session);
                        default -> ends.put(id, session.getState());
                    }
                });
    }

    private void use(UUID id, SessionRecord session) {
        if (opened.putIfAbsent(id, session) != null) {
            return;
        }
        for (HeldSlot slot : session.getSlotsList()) {
            if (!tokens.add(slotOf(session, slot) + " " + slot.getToken())) {
                violations.add("The token of " + slotOf(session, slot) + " was given twice: " + slot.getToken());
            }
        }
        SplittableRandom random = futures.cluster.world.random();
        if (quiet) {
            FutureId future = new FutureId(new UUID(0x4000L, opened.size() | Long.MIN_VALUE));
            sessionOf.put(future, id);
            submit(future, work.element(sessionOf.size()), id);
            return;
        }
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            FutureId future = new FutureId(new UUID((random.nextLong() & ~0xF000L) | 0x4000L, random.nextLong() | 1));
            sessionOf.put(future, id);
            SimulatedTask task = new SimulatedTask(10_000 + sessionOf.size(), 100 + random.nextLong(3_000), Kind.SMALL);
            submit(future, task, id);
        }
        if (random.nextInt(3) == 0) {
            UUID next = new UUID(random.nextLong(), random.nextLong());
            expected.add(next);
            futures.cluster.later(random.nextLong(8_000), () -> client.executor()
                    .execute(() -> open(next, SlotDemand.getDefaultInstance(), id)));
            return;
        }
        boolean cancel = random.nextBoolean();
        futures.cluster.later(random.nextLong(8_000), () -> client.executor().execute(() -> close(id, cancel)));
    }

    private void submit(FutureId future, SimulatedTask task, UUID session) {
        SessionBinding binding = SessionBinding.newBuilder()
                .setId(SessionIds.bytes(session))
                .setSecret(SessionIds.bytes(session))
                .build();
        this.<SubmitReply>call(
                (stub, answer) -> stub.submit(futures.client.request(future, task, binding), answer),
                () -> submit(future, task, session),
                () -> violations.add("Refused: a future of " + session),
                reply -> {
                    if (reply.getRefusalsCount() > 0) {
                        violations.add("Refused: " + reply);
                    }
                });
    }

    /** By way of the worker that has it, or of the store. */
    private void close(UUID id, boolean cancel) {
        SessionRecord session = opened.getOrDefault(id, SessionRecord.getDefaultInstance());
        CloseSessionRequest request = CloseSessionRequest.newBuilder()
                .setId(SessionIds.bytes(id))
                .setOwnerSecret(SessionIds.bytes(id))
                .setSeat(futures.cluster.world.random().nextInt(3) == 0 ? "" : session.getSeat())
                .setCancel(cancel)
                .build();
        if (futures.cluster.world.random().nextBoolean()) {
            ask(SlotsRequest.newBuilder().setClose(request).setBrief(true).build(), answer -> {
                if (answer.hasSession()) {
                    ends.put(id, answer.getSession().getState());
                } else {
                    close(request, id, cancel);
                }
            });
            return;
        }
        close(request, id, cancel);
    }

    private void close(CloseSessionRequest request, UUID id, boolean cancel) {
        this.<SessionDescription>call(
                (stub, answer) -> stub.closeSession(request, answer),
                () -> close(id, cancel),
                () -> violations.add("Refused: the end of " + id),
                reply -> ends.put(id, reply.getRecord().getState()));
    }

    /** Asks together with what is asked for within a moment. */
    private void ask(SlotsRequest request, Consumer<SlotsAnswer> then) {
        if (asked.isEmpty()) {
            client.schedule(TOGETHER_MILLIS, this::askAll);
        }
        asked.put(request, then);
    }

    private void askAll() {
        Map<SlotsRequest, Consumer<SlotsAnswer>> together = new LinkedHashMap<>(asked);
        asked.clear();
        this.<AskSlotsReply>call(
                (stub, answer) -> stub.askSessions(
                        AskSlotsRequest.newBuilder()
                                .addAllRequests(together.keySet())
                                .build(),
                        answer),
                () -> together.forEach(this::ask),
                () -> violations.add("Refused: " + together.keySet()),
                reply -> {
                    Iterator<SlotsAnswer> answers = reply.getAnswersList().iterator();
                    together.forEach((request, then) -> {
                        SlotsAnswer answer = answers.next();
                        if (answer.hasRefusal()) {
                            violations.add("Refused: " + request + answer);
                        }
                        then.accept(answer);
                    });
                });
    }

    private void begun(Execution execution) {
        UUID session = sessionOf.get(execution.future());
        if (session == null) {
            return;
        }
        SessionRecord record = opened.get(session);
        ran.computeIfAbsent(session, unused -> new ArrayList<>()).add(execution);
        if (ran.get(session).stream()
                .anyMatch(other ->
                        other.process() != execution.process() && (other.isLive() || !goingOn.contains(session)))) {
            violations.add("The session " + session + " ran in two processes");
        }
        Set<String> slots = slots(record);
        ran.forEach((other, executions) -> {
            if (!other.equals(session)
                    && slots(opened.get(other)).stream().anyMatch(slots::contains)
                    && executions.stream().anyMatch(Execution::isLive)) {
                violations.add("The sessions " + session + " and " + other + " ran at once with a slot of " + slots);
            }
        });
    }

    private static Set<String> slots(SessionRecord session) {
        Set<String> slots = new HashSet<>();
        session.getSlotsList().forEach(slot -> slots.add(slotOf(session, slot)));
        return slots;
    }

    private static String slotOf(SessionRecord session, HeldSlot slot) {
        return (slot.getHost().isEmpty() ? session.getSeat() : slot.getHost()) + "/" + slot.getResource() + "/"
                + slot.getNumber();
    }

    /** For conditions that are looked up in the store, which takes transactions: not after each event. */
    private void untilStored(String what, long withinMillis, BooleanSupplier condition) {
        VirtualWorld world = futures.cluster.world;
        long[] next = {world.millis()};
        world.until(what, withinMillis, () -> {
            if (world.millis() < next[0]) {
                return false;
            }
            next[0] = world.millis() + LOOK_MILLIS;
            return condition.getAsBoolean();
        });
    }

    private boolean isEmpty() {
        SessionKeys keys = new SessionKeys(new FutureKeys(futures.cluster.keyspace));
        return Stream.of(keys.slots, keys.hostSlots, keys.held, keys.ending, keys.futures)
                .allMatch(this::isEmpty);
    }

    private boolean isEmpty(Table<?> table) {
        return futures.cluster
                .await(futures.cluster.database.readAsync(
                        transaction -> transaction.getRange(table.range(), 1).asList()))
                .isEmpty();
    }

    /** A call of the gateway. */
    private interface Call<T> {
        void make(GatewayGrpc.GatewayStub stub, StreamObserver<T> answer);
    }

    /** @param refused what is done where the request itself is wrong */
    private <T> void call(Call<T> call, Runnable again, Runnable refused, Consumer<T> then) {
        List<SimulatedWorker> there =
                futures.workers.stream().filter(worker -> !worker.isGone()).toList();
        Runnable later = () -> client.schedule(RETRY_MILLIS, again);
        if (there.isEmpty()) {
            later.run();
            return;
        }
        SimulatedWorker worker = there.get(futures.cluster.world.random().nextInt(there.size()));
        GatewayGrpc.GatewayStub stub = GatewayGrpc.newStub(futures.cluster.network.channel(client, worker.address()));
        call.make(stub.withDeadlineAfter(25, TimeUnit.SECONDS), new StreamObserver<>() {
            @Override
            public void onNext(T reply) {
                then.accept(reply);
            }

            @Override
            public void onError(Throwable failure) {
                if (Status.fromThrowable(failure).getCode() == Status.Code.INVALID_ARGUMENT) {
                    refused.run();
                } else {
                    later.run();
                }
            }

            @Override
            public void onCompleted() {
                // The answer has come.
            }
        });
    }
}
