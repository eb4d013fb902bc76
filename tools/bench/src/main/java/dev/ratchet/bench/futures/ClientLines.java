/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.bench.cluster.JavaProcess;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Lines about a program that is killed while it submits: all that it was told to be recorded must finish. */
final class ClientLines {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    private ClientLines() {}

    /** What a program is told of one of its futures. */
    private record Acknowledged(FutureId id, int number) {}

    static void client(Subject subject) throws Exception {
        int many = subject.extent().quick() ? 5_000 : 50_000;
        Path connection = subject.directory().resolve("killed-client.json");
        Files.writeString(connection, subject.cluster().connection(0));
        JavaProcess client = JavaProcess.talking(
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                subject.directory().resolve("killed-client.log"),
                KilledClient.class,
                connection.toString());
        List<Acknowledged> acknowledged = new ArrayList<>();
        read(client.output(), acknowledged, many);
        client.kill();
        if (acknowledged.size() < many) {
            throw new IllegalStateException("The program ended after " + acknowledged.size() + " of " + many + ": see "
                    + subject.directory().resolve("killed-client.log"));
        }
        List<DurableFuture<Integer>> futures = new ArrayList<>();
        subject.once("after its program's end", acknowledged.size(), acknowledged.size(), () -> {
            acknowledged.forEach(one -> futures.add(subject.ratchet().future(one.id())));
            subject.ratchet().await(futures, futures.size(), LIMIT);
            return null;
        });
        int right = 0;
        for (int i = 0; i < futures.size(); i++) {
            right += futures.get(i).get(LIMIT) == acknowledged.get(i).number() ? 1 : 0;
        }
        subject.rate("right results, percent", acknowledged.size(), 100.0 * right / acknowledged.size(), 0);
        if (right < acknowledged.size()) {
            throw new IllegalStateException("Only " + right + " of " + acknowledged.size() + " results are right");
        }
        subject.requireCheckedClean();
    }

    /** Takes whole lines, up to so many futures or the end. */
    private static void read(BufferedReader said, List<Acknowledged> acknowledged, int many) throws IOException {
        while (acknowledged.size() < many) {
            String line = said.readLine();
            if (line == null) {
                return;
            }
            String[] words = line.split(" ", -1);
            if (words.length == 4 && words[0].equals(KilledClient.ACKNOWLEDGED) && words[3].equals(";")) {
                acknowledged.add(new Acknowledged(FutureId.parse(words[1]), Integer.parseInt(words[2])));
            }
        }
    }
}
