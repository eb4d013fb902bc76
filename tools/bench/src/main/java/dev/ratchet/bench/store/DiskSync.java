/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.store;

import dev.ratchet.bench.ClosedLoop;
import dev.ratchet.bench.Latencies;
import dev.ratchet.bench.Measurement;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * How long the disk takes to make one small write durable, in a file that has its length already, as the log's has:
 * what a durable commit can not be faster than.
 */
final class DiskSync {

    private static final int WRITE_BYTES = 256;
    private static final int FILE_BYTES = 16 << 20;

    private DiskSync() {}

    static Measurement measure(Path directory, long millis) throws IOException {
        Path file = Files.createTempFile(directory, "ratchet-bench-", ".sync");
        Latencies latencies = new Latencies();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(FILE_BYTES), 0);
            channel.force(true);
            long cpuBefore = StoreTarget.ownCpuNanos();
            long began = System.nanoTime();
            long writes = 0;
            while (System.nanoTime() - began < millis * 1_000_000) {
                long from = System.nanoTime();
                channel.write(ByteBuffer.allocate(WRITE_BYTES), writes * WRITE_BYTES % FILE_BYTES);
                channel.force(false);
                latencies.add(System.nanoTime() - from);
                writes++;
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            double cpuMicros = (StoreTarget.ownCpuNanos() - cpuBefore) / 1e3 / writes;
            ClosedLoop.Result result = new ClosedLoop.Result(writes / seconds, cpuMicros, latencies, 0);
            return Measurement.of("disk", "fdatasync", WRITE_BYTES, 1, result);
        } finally {
            Files.delete(file);
        }
    }
}
