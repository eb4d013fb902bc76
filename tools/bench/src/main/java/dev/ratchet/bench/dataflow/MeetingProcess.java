/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import com.sun.management.OperatingSystemMXBean;
import dev.ratchet.bench.Latencies;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.MutualTls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * One of several processes that meet. It prints its address, reads those of all, and then sizes of frames and numbers
 * of meetings; for each it prints what they took. It ends with its input.
 */
final class MeetingProcess {

    /** Before each line that is meant, because the JVM may have things to say too. */
    static final String SAYS = "says ";

    /** How processes meet. */
    enum Way {
        EXCHANGE,
        GRPC,
        SOCKETS;

        Meetings open(MutualTls security, Identity self) throws IOException {
            return switch (this) {
                case EXCHANGE -> new ExchangeMeetings(security, self);
                case GRPC -> new GrpcMeetings(security, self);
                case SOCKETS -> new SocketMeetings(security, self);
            };
        }
    }

    private MeetingProcess() {}

    static Identity identity(int number) {
        return new Identity("bench", "bench", Identity.Kind.WORKER, seat(number));
    }

    static String seat(int number) {
        return "bench-w-" + number;
    }

    static void require(boolean holds) {
        if (!holds) {
            throw new IllegalStateException("Not what was expected of the other process");
        }
    }

    /** Arguments: way, number of this process, directory of its credential. */
    public static void main(String[] arguments) throws Exception {
        int self = Integer.parseInt(arguments[1]);
        try (Meetings meetings =
                        Way.valueOf(arguments[0]).open(MutualTls.fromDirectory(Path.of(arguments[2])), identity(self));
                BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            say(meetings.address());
            meetings.join(self, List.of(orders.readLine().split(" ", -1)));
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                String[] words = order.split(" ", 2);
                meet(meetings, new byte[Integer.parseInt(words[0])], Integer.parseInt(words[1]));
            }
        }
        System.exit(0);
    }

    private static void meet(Meetings meetings, byte[] frame, int count) throws Exception {
        meetings.meet(frame);
        Latencies times = new Latencies();
        long cpuBefore = cpuNanos();
        long began = System.nanoTime();
        long before = began;
        for (int number = 0; number < count; number++) {
            meetings.meet(frame);
            long now = System.nanoTime();
            times.add(now - before);
            before = now;
        }
        long cpuNanos = cpuNanos() - cpuBefore;
        say((before - began) + " " + times.percentileNanos(0.5) + " " + times.percentileNanos(0.99) + " " + cpuNanos);
    }

    static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    static void say(String text) {
        System.out.println(SAYS + text);
        System.out.flush();
    }
}
