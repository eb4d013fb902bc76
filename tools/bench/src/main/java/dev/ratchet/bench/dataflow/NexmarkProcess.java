/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import dev.ratchet.bench.circuits.NexmarkFeed;
import dev.ratchet.bench.nexmark.ChangeFile;
import dev.ratchet.bench.nexmark.NexmarkChangeReader;
import dev.ratchet.bench.nexmark.NexmarkQuery;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.protocol.security.MutualTls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * One of several processes that run a query together, over the exchange of circuits: each adds all changes, in steps of
 * {@value #STEP_CHANGES}, and puts out its share. It prints its address, reads those of all, and then names of queries;
 * for each it prints what it took. It ends with its input.
 */
final class NexmarkProcess {

    private static final int STEP_CHANGES = 10_000;

    private NexmarkProcess() {}

    /** Arguments: file of changes, number of this process, directory of its credential, threads. */
    public static void main(String[] arguments) throws Exception {
        byte[] changes = ChangeFile.read(Path.of(arguments[0]));
        int self = Integer.parseInt(arguments[1]);
        int threads = Integer.parseInt(arguments[3]);
        try (ExchangeMeetings meetings = new ExchangeMeetings(
                        MutualTls.fromDirectory(Path.of(arguments[2])), MeetingProcess.identity(self));
                BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            MeetingProcess.say(meetings.address());
            meetings.join(self, List.of(orders.readLine().split(" ", -1)));
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                run(meetings, NexmarkQuery.named(order), changes, threads);
            }
        }
        System.exit(0);
    }

    private static void run(ExchangeMeetings meetings, NexmarkQuery query, byte[] changes, int threads)
            throws IOException {
        SqlProgram program = SqlProgram.compile(query.program(true));
        long[] rows = {0};
        try (Circuit circuit =
                new Circuit(program.plan(), CircuitOptions.inMemory(threads).withPeers(meetings.session()))) {
            NexmarkFeed feed = new NexmarkFeed(circuit, query);
            NexmarkChangeReader reader = new NexmarkChangeReader(changes);
            long cpuBefore = MeetingProcess.cpuNanos();
            long began = System.nanoTime();
            for (boolean hasMore = true; hasMore; ) {
                int waiting = 0;
                while (waiting < STEP_CHANGES && (hasMore = reader.next())) {
                    feed.add(reader);
                    waiting++;
                }
                circuit.step();
                circuit.visit(query.name(), (row, weight) -> rows[0] += weight);
            }
            long nanos = System.nanoTime() - began;
            MeetingProcess.say(nanos + " " + (MeetingProcess.cpuNanos() - cpuBefore) + " " + rows[0]);
        }
    }
}
