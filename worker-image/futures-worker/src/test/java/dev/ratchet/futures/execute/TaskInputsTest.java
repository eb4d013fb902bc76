/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.actor.LiveActors;
import dev.ratchet.futures.artifact.CodeCache;
import dev.ratchet.futures.execute.TaskInputs.Gathered;
import dev.ratchet.futures.object.ObjectClient;
import dev.ratchet.futures.object.ObjectLocator;
import dev.ratchet.futures.object.ObjectLocator.Found;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.worker.CollectionFixture;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.membership.ToldLiveness;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is gathered for a task holds up nobody, and is let go of where the task can not run. */
class TaskInputsTest extends CollectionFixture {

    private static final long MEMORY_BYTES = 1 << 20;

    @TempDir
    Path directory;

    @Test
    void whatWasFoundBesideAnUpstreamThatIsGoneIsLetGo() throws Exception {
        ObjectStore objects = new ObjectStore(directory.resolve("objects"), MEMORY_BYTES, 0);
        FutureId gone = submit(List.of(), 0);
        FutureId here = submit(List.of(), 0);
        assertThat(finish(true)).isEqualTo(2);
        var unused = objects.put(new ObjectName(here, 1), new byte[OBJECT_BYTES]);
        submit(
                List.of(gone, here),
                0,
                SubmittedFuture.newBuilder()
                        .setSchedulingSpec(SchedulingSpec.newBuilder().setIsolated(true)));
        Claimed claimed = claimAll().getFirst();
        assertThat(delete(gone)).containsExactly(gone);

        assertThat(inputs(objects).gather(claimed).join()).isInstanceOf(Gathered.UpstreamFailed.class);

        objects.delete(new ObjectName(here, 1));
        assertThat(objects.freeBytes()).isEqualTo(MEMORY_BYTES);
    }

    /** As where the disk is slow: the same threads keep the lease of the worker. */
    @Test
    void aFileThatTakesItsTimeHoldsUpNoThreadOfTheProtocol() throws Exception {
        ObjectStore objects = new ObjectStore(directory.resolve("objects"), 0, OBJECT_BYTES);
        FutureId id = submit(List.of(), 0);
        assertThat(finish(true)).isEqualTo(1);
        byte[] content = new byte[1];
        var unused = objects.put(new ObjectName(id, 1), content);
        Path file = Objects.requireNonNull(directory.resolve("objects").toFile().listFiles())[0].toPath();
        Files.delete(file);
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        ObjectLocator locator = locator(objects);
        int moreThanThreads = Math.max(2, Runtime.getRuntime().availableProcessors()) + 1;

        List<CompletableFuture<Found>> loads = IntStream.range(0, moreThanThreads)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> locator.load(id), environment.executor())
                        .thenCompose(load -> load))
                .toList();
        try {
            CompletableFuture.runAsync(() -> {}, environment.executor()).get(30, TimeUnit.SECONDS);
        } finally {
            try (RandomAccessFile pipe = new RandomAccessFile(file.toFile(), "rw")) {
                pipe.write(new byte[moreThanThreads]);
                CompletableFuture.allOf(loads.toArray(CompletableFuture[]::new)).join();
            }
        }
        assertThat(loads).allSatisfy(load -> assertThat(load.join()).isInstanceOf(Found.Value.class));
    }

    private TaskInputs inputs(ObjectStore objects) throws IOException {
        return new TaskInputs(
                store, new CodeCache(store, directory.resolve("artifacts")), locator(objects), new LiveActors());
    }

    private ObjectLocator locator(ObjectStore objects) {
        return new ObjectLocator(
                store,
                new OpenSeat(SEAT),
                members,
                ToldLiveness.allDead(),
                objects,
                new ObjectClient(
                        (seat, address) -> {
                            throw new IllegalStateException("Nobody is asked: " + seat);
                        },
                        environment));
    }
}
