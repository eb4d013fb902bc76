/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import com.apple.foundationdb.Database;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.FuturesEngine;
import dev.ratchet.futures.FuturesOptions;
import dev.ratchet.futures.isolation.IsolationOptions;
import dev.ratchet.futures.log.LogRing;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.nesting.Loopback;
import dev.ratchet.futures.object.Replication;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.session.SlotCapacity;
import dev.ratchet.futures.session.WorkerTraits;
import dev.ratchet.membership.LeaseSettings;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Metric;
import dev.ratchet.membership.SeatOrder;
import dev.ratchet.membership.WorkerDescription;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.coordinator.WorkerCalls;
import dev.ratchet.membership.process.Membership;
import dev.ratchet.protocol.client.v1.FetchRequest;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.ValueChunk;
import dev.ratchet.protocol.release.ReleaseFormats;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One worker of a test: real membership, real futures, gRPC without a network. */
public final class TestWorker {

    /** It beats often, so that others soon know of it, and lives as long without a beat as workers do: it may pause. */
    private static final LeaseSettings LEASE = new LeaseSettings(200, 10_000, 10, 10, 100, 12_000, 10, 500);

    /** Small and soon started. */
    private static final IsolationOptions ISOLATION = new IsolationOptions(
            List.of(
                    "-Xmx" + System.getProperty("ratchet.test.isolated.heap", "48m"),
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UnlockDiagnosticVMOptions",
                    "-XX:-BytecodeVerificationRemote"),
            1_000,
            2,
            Optional.empty());

    private final String address;
    private final MortalEnvironment environment = new MortalEnvironment();
    private final Membership membership;
    private final FuturesEngine engine;
    private final LogRing ring;
    private final SlotCapacity slots = new SlotCapacity(Map.of("gpu", 1, "disk", 2), 2);
    private final Server server;
    private final List<Metric> slotMetrics = new ArrayList<>();

    TestWorker(
            TestCluster cluster,
            Database database,
            StoreRecord record,
            String seat,
            Capacity capacity,
            Map<String, String> labels,
            long objectBytes,
            Optional<Path> kept,
            boolean onVolume)
            throws IOException {
        int threads = (int) (capacity.cpuMillis() / 1_000);
        address = seat + "-" + ThreadLocalRandom.current().nextInt(1_000_000) + ":7400";
        Keyspace keyspace = cluster.keyspace();
        Path directory = cluster.directory().resolve(address.replace(':', '-'));
        membership = new Membership(
                database,
                keyspace,
                record,
                TestCluster.NAMESPACE,
                TestCluster.NAME,
                new WorkerDescription(
                        seat,
                        "pod-" + address,
                        1,
                        1 + ThreadLocalRandom.current().nextInt(1_000_000),
                        "host",
                        address,
                        ReleaseFormats.OWN,
                        threads,
                        memberLabels(capacity, labels),
                        onVolume),
                LEASE,
                cluster::probe,
                new NoCalls(),
                environment);
        ring = new LogRing(directory.resolve("log"), 1 << 20, environment);
        engine = new FuturesEngine(
                database,
                keyspace,
                membership.seat(),
                membership.members(),
                membership.liveness(),
                (name, to) -> cluster.channel(to),
                Loopback.inProcess(environment.executor()),
                environment,
                new FuturesOptions(
                        TestCluster.NAMESPACE,
                        TestCluster.NAME,
                        "0.1.0",
                        threads,
                        capacity,
                        slots,
                        kept.orElse(directory),
                        onVolume,
                        Math.min(200_000, objectBytes / 2),
                        objectBytes - Math.min(200_000, objectBytes / 2),
                        ISOLATION.sharing(Optional.of(directory.resolve("shared")))),
                ring,
                Thread.ofVirtual().name(seat + "-task-", 0).factory());
        membership.prepare(engine);
        InProcessServerBuilder builder = InProcessServerBuilder.forName(address);
        engine.services().forEach(builder::addService);
        server = builder.build().start();
    }

    private static Map<String, String> memberLabels(Capacity capacity, Map<String, String> labels) {
        Map<String, String> all = new TreeMap<>(capacity.labels());
        all.putAll(WorkerTraits.described(labels));
        return all;
    }

    CompletableFuture<Void> join() {
        return membership.join();
    }

    public FuturesEngine engine() {
        return engine;
    }

    /** What its sessions may take: {gpu=1, disk=2} and 2 that name no resource. */
    SlotCapacity slots() {
        return slots;
    }

    public Membership membership() {
        return membership;
    }

    public LogRing ring() {
        return ring;
    }

    public String address() {
        return address;
    }

    /** How many bytes of results still fit. */
    public double freeObjectBytes() {
        return figure("object_store_free_bytes");
    }

    /** How many bytes of results still fit on a seat, as far as this worker has heard; -1 if it has not. */
    long freeObjectBytesOf(String seat) {
        return membership.liveness().latest().stream()
                .filter(member -> member.seat().equals(seat))
                .map(member -> member.freeResources().getOrDefault(Replication.FREE_BYTES, -1L))
                .findFirst()
                .orElse(-1L);
    }

    /** What the last heartbeat of another worker said that this one has seen; nothing if it has seen none. */
    Map<String, Long> said(TestWorker other) {
        return membership().liveness().latest().stream()
                .filter(member -> member.seat().equals(other.membership().seat().name()))
                .map(Member::freeResources)
                .findFirst()
                .orElse(Map.of());
    }

    /** Whether it has read that a worker is healthy, and so what that has. */
    boolean knows(TestWorker other) {
        String seat = other.membership().seat().name();
        long incarnation = other.membership().seat().incarnation();
        return membership.liveness().latest().stream()
                .anyMatch(member -> member.seat().equals(seat)
                        && member.incarnation() == incarnation
                        && member.state() == WorkerState.HEALTHY);
    }

    /** A figure of its metrics. */
    synchronized double figure(String name) {
        slotMetrics.addAll(engine.newSlotMetrics());
        return Stream.concat(engine.metrics().all().stream(), slotMetrics.stream())
                .filter(metric -> metric.name().equals(name))
                .mapToDouble(metric -> metric.value().getAsDouble())
                .sum();
    }

    /** Asks for a result as a client does, and goes away when its size has come: the size. */
    long announceAndGo(FutureId id) throws Exception {
        ManagedChannel channel = InProcessChannelBuilder.forName(address).build();
        try {
            ClientCall<FetchRequest, ValueChunk> call =
                    channel.newCall(GatewayGrpc.getFetchMethod(), CallOptions.DEFAULT);
            CompletableFuture<ValueChunk> announced = new CompletableFuture<>();
            call.start(
                    new ClientCall.Listener<>() {
                        @Override
                        public void onMessage(ValueChunk message) {
                            announced.complete(message);
                        }
                    },
                    new Metadata());
            call.request(1);
            call.sendMessage(FetchRequest.newBuilder().setId(Ids.bytes(id)).build());
            call.halfClose();
            long bytes = announced.get(60, TimeUnit.SECONDS).getBytes();
            call.cancel("seen enough", null);
            return bytes;
        } finally {
            channel.shutdownNow();
        }
    }

    /** As TERM does. */
    public boolean leave(long drainTimeoutMillis) throws Exception {
        boolean drained = membership.leave(drainTimeoutMillis).get(60, TimeUnit.SECONDS);
        server.shutdownNow();
        environment.die();
        return drained;
    }

    /** As kill -9 does: from here on nothing of it runs or answers. */
    public void kill() {
        environment.die();
        server.shutdownNow();
        engine.abandon();
    }

    boolean isDead() {
        return environment.isDead();
    }

    void close() {
        kill();
        engine.close();
        environment.close();
    }

    /** Drains are asked for through membership's own records in these tests. */
    private static final class NoCalls implements WorkerCalls {
        @Override
        public CompletableFuture<Void> hello(Member worker, long term) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> order(Member worker, long term, long seq, SeatOrder order) {
            return CompletableFuture.completedFuture(null);
        }
    }
}
