/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.bench.load.CircuitRequests.Request;
import dev.ratchet.circuits.nexmark.NexmarkTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CircuitJudgeTest {

    private static final LoadViews.View NAMES = new LoadViews.View("names", "SELECT itemName FROM auction");

    private final CircuitRequests input = new CircuitRequests(1, 1);
    private final PromiseLedger ledger = new PromiseLedger();

    @TempDir
    private Path directory;

    @Test
    void anEmptyNameIsNotNullInTheInputNorInTheAnswer() throws Exception {
        Request request = LongStream.range(0, 100_000)
                .mapToObj(sequence -> new Request(0, sequence))
                .filter(one -> names(one).contains("\"\""))
                .findFirst()
                .orElseThrow();
        input.acknowledged("1", request);

        judge(names(request));

        assertThat(ledger.complaints()).isZero();
    }

    @Test
    void aNameThatIsMissingInTheAnswerIsToldAsADefect() throws Exception {
        Request request = new Request(0, 0);
        input.acknowledged("1", request);

        judge(names(request).subList(1, names(request).size()));

        assertThat(ledger.complaints()).isOne();
    }

    private List<String> names(Request request) {
        int name = NexmarkTable.AUCTION.columns().stream()
                .map(NexmarkTable.Column::name)
                .toList()
                .indexOf("itemName");
        return input.events(request)
                .filter(event -> event.table() == NexmarkTable.AUCTION)
                .map(event -> "\"" + event.values().get(name) + "\"")
                .toList();
    }

    private void judge(List<String> names) throws Exception {
        Path rows = directory.resolve("answer.csv");
        Files.write(rows, Stream.concat(Stream.of("itemName"), names.stream()).toList());
        try (CircuitJudge judge = new CircuitJudge(input, ledger, directory)) {
            judge.judge(List.of(new CircuitAnswers.Answer(NAMES, 1, "1", rows)));
        }
    }
}
