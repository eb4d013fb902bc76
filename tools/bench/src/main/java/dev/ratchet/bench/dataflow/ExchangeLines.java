/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import dev.ratchet.bench.Measurement;
import dev.ratchet.bench.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What it costs that processes send each other bytes, and that all of them meet. */
final class ExchangeLines {

    private static final List<String> OPTIONS = List.of("-Xmx512m", "-XX:+UseParallelGC");
    private static final int ROW_BYTES = 100;
    private static final int SMALL_BYTES = 64;

    private ExchangeLines() {}

    /** The same bytes in both directions between two processes; an operation is a row of {@value #ROW_BYTES} bytes. */
    static void bytes(Path parent, boolean quick, Report report) throws IOException {
        for (int kilobytes : List.of(64, 1_024, 8_192)) {
            for (MeetingProcess.Way way : MeetingProcess.Way.values()) {
                int bytes = kilobytes << 10;
                Result result = measure(parent, way, 2, bytes, quick ? 1_000 : 5_000);
                double rows = 2.0 * bytes / ROW_BYTES;
                report.add(new Measurement(
                        title(way),
                        "rows in frames of KiB",
                        kilobytes,
                        2,
                        result.perSecond * rows,
                        result.p50Micros,
                        result.p99Micros,
                        result.cpuMicros / rows,
                        0));
            }
        }
    }

    /** All processes have met, with next to nothing to say; an operation is a meeting. */
    static void barrier(Path parent, boolean quick, Report report) throws IOException {
        for (MeetingProcess.Way way : List.of(MeetingProcess.Way.EXCHANGE, MeetingProcess.Way.SOCKETS)) {
            Result result = measure(parent, way, 4, SMALL_BYTES, quick ? 2_000 : 10_000);
            report.add(new Measurement(
                    title(way),
                    "meeting",
                    SMALL_BYTES,
                    4,
                    result.perSecond,
                    result.p50Micros,
                    result.p99Micros,
                    result.cpuMicros,
                    0));
        }
    }

    private static String title(MeetingProcess.Way way) {
        return switch (way) {
            case EXCHANGE -> "exchange";
            case GRPC -> "gRPC, TLS";
            case SOCKETS -> "bare TLS sockets";
        };
    }

    private record Result(double perSecond, double p50Micros, double p99Micros, double cpuMicros) {}

    /** As many meetings as take about that long, once twice as long has gone by for the compiler. */
    private static Result measure(Path parent, MeetingProcess.Way way, int count, int bytes, long millis)
            throws IOException {
        try (JoinedProcesses processes =
                new JoinedProcesses(parent, MeetingProcess.class, count, OPTIONS, way.name())) {
            long meetings = 2;
            long nanos = meet(processes, bytes, meetings).getFirst()[0];
            for (long spent = 0; spent < 2 * millis * 1_000_000; spent += nanos) {
                meetings = Math.clamp(meetings * millis * 1_000_000 / Math.max(1, nanos), 2, 10 * meetings);
                nanos = meet(processes, bytes, meetings).getFirst()[0];
            }
            List<long[]> all = meet(processes, bytes, meetings);
            double cpuMicros = all.stream().mapToLong(one -> one[3]).sum() / 1e3 / meetings;
            long[] first = all.getFirst();
            return new Result(meetings * 1e9 / first[0], first[1] / 1e3, first[2] / 1e3, cpuMicros);
        }
    }

    private static List<long[]> meet(JoinedProcesses processes, int bytes, long meetings) throws IOException {
        processes.tell(bytes + " " + meetings);
        return processes.answers();
    }
}
