/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.cluster;

import dev.ratchet.futures.FuturesEngine;
import dev.ratchet.futures.FuturesOptions;
import dev.ratchet.futures.isolation.IsolationOptions;
import dev.ratchet.futures.log.LogRing;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.session.SlotCapacity;
import dev.ratchet.membership.ForwardingHoldings;
import dev.ratchet.membership.Holdings;
import io.grpc.BindableService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The production engine of futures as the work of a simulated worker. */
public final class FuturesWork implements Work, ForwardingHoldings {

    private static final int THREADS = 2;
    private static final long OBJECT_BYTES = 1 << 20;
    private static final long RING_BYTES = 1 << 16;

    private final FuturesEngine engine;
    private final LogRing ring;
    private final Path objects;

    /** @param directory of the whole cluster; each process gets a folder in it */
    public FuturesWork(SimulatedWorker.Parts parts, Path directory) {
        this(parts, directory, OBJECT_BYTES);
    }

    /** As {@link #FuturesWork(SimulatedWorker.Parts, Path)}, with so much room for objects. */
    public FuturesWork(SimulatedWorker.Parts parts, Path directory, long objectBytes) {
        this(parts, directory, ownFolder(parts), false, objectBytes);
    }

    private FuturesWork(
            SimulatedWorker.Parts parts, Path directory, String dataFolder, boolean onVolume, long objectBytes) {
        Path own = directory.resolve(ownFolder(parts));
        Path data = directory.resolve(dataFolder);
        objects = data.resolve("objects");
        try {
            ring = new LogRing(own.resolve("log"), RING_BYTES, parts.process());
            engine = new FuturesEngine(
                    parts.database(),
                    parts.keyspace(),
                    parts.seat(),
                    parts.members(),
                    parts.liveness(),
                    parts.peers(),
                    parts.loopback(),
                    parts.process(),
                    new FuturesOptions(
                            SimulatedCluster.NAMESPACE,
                            SimulatedCluster.NAME,
                            "0.2.0",
                            THREADS,
                            Capacity.ofThreads(THREADS),
                            new SlotCapacity(Map.of("gpu", 1, "disk", 2), Map.of("port", 1), 2),
                            data,
                            onVolume,
                            0,
                            objectBytes,
                            IsolationOptions.DEFAULT),
                    ring,
                    parts.process().threads());
        } catch (IOException unusable) {
            throw new UncheckedIOException("The directory " + own + " can not be used: " + unusable, unusable);
        }
    }

    /** As {@link #FuturesWork(SimulatedWorker.Parts, Path)}, with the data of former processes of the seat. */
    static FuturesWork onVolume(SimulatedWorker.Parts parts, Path directory) {
        return new FuturesWork(parts, directory, "volume-of-" + parts.seat().name(), true, OBJECT_BYTES);
    }

    /** As {@link #onVolume}, where the process does not know that another one finds its files. */
    static FuturesWork inPod(SimulatedWorker.Parts parts, Path directory) {
        return new FuturesWork(parts, directory, "pod-of-" + parts.seat().name(), false, OBJECT_BYTES);
    }

    private static String ownFolder(SimulatedWorker.Parts parts) {
        return parts.process().name().replace('#', '-');
    }

    /** What it has published, also once it is dead; the sum of what has this name. */
    public double metric(String name) {
        return engine.metrics().all().stream()
                .filter(metric -> metric.name().equals(name))
                .mapToDouble(metric -> metric.value().getAsDouble())
                .sum();
    }

    @Override
    public List<BindableService> services() {
        return engine.services();
    }

    @Override
    public Holdings holdings() {
        return engine;
    }

    @Override
    public void damageObjects() {
        try (Stream<Path> files = Files.list(objects)) {
            for (Path file : files.sorted().toList()) {
                byte[] content = Files.readAllBytes(file);
                if (content.length > 0) {
                    content[content.length / 2] ^= 1;
                    Files.write(file, content, StandardOpenOption.WRITE);
                }
            }
        } catch (IOException unusable) {
            throw new UncheckedIOException("The objects in " + objects + " can not be damaged", unusable);
        }
    }

    @Override
    public void ended() {
        engine.close();
        try {
            ring.close();
        } catch (IOException unflushed) {
            throw new UncheckedIOException("The log of a dead process can not be closed", unflushed);
        }
    }
}
