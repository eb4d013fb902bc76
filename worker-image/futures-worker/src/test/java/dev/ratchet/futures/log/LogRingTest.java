/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.logs.v1.LogLine;
import dev.ratchet.protocol.logs.v1.LogPage;
import dev.ratchet.protocol.logs.v1.ReadLogsRequest;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogRingTest {

    @TempDir
    Path directory;

    private final SystemEnvironment environment = new SystemEnvironment();

    @AfterEach
    void close() {
        environment.close();
    }

    @Test
    void pagesFollowEachOtherWithoutGapOrRepetition() throws Exception {
        try (LogRing ring = new LogRing(directory, 1 << 20, environment)) {
            for (int i = 1; i <= 2_500; i++) {
                ring.append(null, "line " + i);
            }
            List<String> all = new ArrayList<>();
            long from = 0;
            LogPage page;
            do {
                page = ring.read(ReadLogsRequest.newBuilder().setFrom(from).build());
                page.getLinesList().forEach(line -> all.add(line.getText()));
                from = page.getNext();
            } while (page.getMore());

            assertThat(all).hasSize(2_500).startsWith("line 1", "line 2").endsWith("line 2500");
            assertThat(ring.read(ReadLogsRequest.newBuilder().setFrom(from).build())
                            .getLinesList())
                    .isEmpty();
        }
    }

    @Test
    void pagesBeforeEachOtherReachTheOldestLine() throws Exception {
        try (LogRing ring = new LogRing(directory, 1 << 20, environment)) {
            for (int i = 1; i <= 2_500; i++) {
                ring.append(null, "line " + i);
            }
            List<String> all = new ArrayList<>();
            ReadLogsRequest.Builder request = ReadLogsRequest.newBuilder().setTail(true);
            LogPage page;
            do {
                page = ring.read(request.build());
                page.getLinesList().reversed().forEach(line -> all.add(line.getText()));
                request.setBefore(page.getLines(0).getNumber());
            } while (page.getMoreBefore());

            assertThat(all).hasSize(2_500).startsWith("line 2500", "line 2499").endsWith("line 1");
            assertThat(page.getOldest()).isEqualTo(1);
        }
    }

    @Test
    void aPageHasWhatAJobOrSomeFuturesWroteAndAPatternFinds() throws Exception {
        FutureId first = FutureId.random();
        FutureId second = FutureId.random();
        try (LogRing ring = new LogRing(directory, 1 << 20, environment)) {
            ring.append(new LogOwner(first, "red"), "one apple");
            ring.append(new LogOwner(second, "red"), "two\tpears");
            ring.append(new LogOwner(FutureId.random(), "blue"), "three apples");
            ring.append(null, "four apples");

            assertThat(texts(ring, ReadLogsRequest.newBuilder().setJob("red")))
                    .containsExactly("one apple", "two\tpears");
            assertThat(texts(ring, ReadLogsRequest.newBuilder().setPattern("apples$")))
                    .containsExactly("three apples", "four apples");
            assertThat(texts(ring, ReadLogsRequest.newBuilder().setJob("red").setPattern("^one")))
                    .containsExactly("one apple");
            assertThat(texts(
                            ring,
                            ReadLogsRequest.newBuilder()
                                    .addFutures(Ids.bytes(first))
                                    .addFutures(Ids.bytes(second))))
                    .containsExactly("one apple", "two\tpears");
            assertThatThrownBy(() -> texts(ring, ReadLogsRequest.newBuilder().setPattern("(")))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("no regular expression");
        }
    }

    private static List<String> texts(LogRing ring, ReadLogsRequest.Builder request) throws Exception {
        return ring.read(request.build()).getLinesList().stream()
                .map(LogLine::getText)
                .toList();
    }

    @Test
    void oldLinesGiveWayWithinTheLimit() throws Exception {
        try (LogRing ring = new LogRing(directory, 20_000, environment)) {
            for (int i = 1; i <= 5_000; i++) {
                ring.append(null, "line " + i);
            }
            LogPage page = ring.read(
                    ReadLogsRequest.newBuilder().setTail(true).setLimit(10).build());

            assertThat(page.getLinesList()).hasSize(10);
            assertThat(page.getLines(9).getText()).isEqualTo("line 5000");
            long bytes = 0;
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    bytes += Files.size(file);
                }
            }
            assertThat(bytes).isLessThanOrEqualTo(20_000);
        }
    }

    @Test
    void whatATaskPrintsIsFoundByItsFuture() throws Exception {
        FutureId future = FutureId.random();
        ByteArrayOutputStream console = new ByteArrayOutputStream();
        try (LogRing ring = new LogRing(directory, 1 << 20, environment);
                PrintStream original = new PrintStream(console, true, StandardCharsets.UTF_8);
                PrintStream out = new TaskOutput.Unclosable(new TaskOutput(original, ring))) {
            out.println("before");
            TaskOutput.attribute(new LogOwner(future, "job"));
            out.print("of the ");
            out.close();
            out.println("tâche");
            TaskOutput.attribute(null);
            out.println("after");

            LogPage page = ring.read(
                    ReadLogsRequest.newBuilder().setFuture(Ids.bytes(future)).build());
            assertThat(page.getLinesList()).extracting(LogLine::getText).containsExactly("of the tâche");
            assertThat(ring.read(ReadLogsRequest.getDefaultInstance()).getLinesList())
                    .extracting(LogLine::getText)
                    .containsExactly("before", "of the tâche", "after");
            assertThat(console.toString(StandardCharsets.UTF_8)).contains("of the tâche");
        }
    }
}
