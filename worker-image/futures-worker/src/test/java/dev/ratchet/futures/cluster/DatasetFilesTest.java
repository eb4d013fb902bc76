/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.dataset.Dataset;
import dev.ratchet.client.dataset.Pair;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Datasets of files that workers read and write, and what is made of many elements. */
@OnCluster(threads = {2, 2})
class DatasetFilesTest {

    private static final SubmitOptions JOB = SubmitOptions.ofJob("files").withMaxRetries(0);

    private final Ratchet ratchet;

    @TempDir
    private Path folder;

    DatasetFilesTest(Ratchet ratchet) {
        this.ratchet = ratchet;
    }

    @Test
    void eachLineIsReadOnceHoweverTheBytesAreDivided() throws Exception {
        List<String> lines =
                List.of("a", "", "a line that is long beside the others", "é", "with a carriage return", "b");
        Files.writeString(folder.resolve("1.txt"), "a\n\na line that is long beside the others\né\n");
        Files.writeString(folder.resolve("2.txt"), "with a carriage return\r\nb");
        Files.writeString(folder.resolve("3.txt"), "");
        Files.writeString(folder.resolve("other"), "not wanted\n");
        for (int partitions : new int[] {1, 2, 3, 7, 40, 100}) {
            Dataset<String> read = Dataset.readFiles(ratchet, JOB, folder.toString(), "*.txt", partitions);

            assertThat(read.partitions()).isEqualTo(partitions);
            assertThat(read.collect()).as("%s partitions", partitions).isEqualTo(lines);
        }
    }

    @Test
    void wordsAreCountedFromFilesToFiles() throws Exception {
        Path deep = Files.createDirectories(folder.resolve("in/deep"));
        Files.writeString(folder.resolve("in/a.log"), "the cat\nand the dog\n".repeat(100));
        Files.writeString(deep.resolve("b.log"), "the end\n");
        Path out = folder.resolve("out");

        List<String> written = Dataset.readFiles(
                        ratchet, JOB, folder.resolve("in").toString(), "**.log", 3)
                .flatMap(line -> List.of(line.split(" ")))
                .aggregateByKey(word -> word, () -> 0, (count, word) -> count + 1, Integer::sum)
                .map(count -> count.left() + " " + count.right())
                .write(out.toString())
                .get();

        assertThat(written).hasSize(3).allMatch(file -> file.startsWith(out.toString()));
        List<String> counts = new ArrayList<>();
        try (Stream<Path> files = Files.list(out)) {
            for (Path file : files.sorted().toList()) {
                counts.addAll(Files.readAllLines(file));
            }
        }
        assertThat(counts).containsExactlyInAnyOrder("the 201", "cat 100", "and 100", "dog 100", "end 1");
    }

    @Test
    void anAggregateOfEachKeyIsThatOfAllItsElements() throws Exception {
        List<Integer> numbers = IntStream.range(0, 1_000).boxed().toList();
        Map<Integer, List<Integer>> byRest = new TreeMap<>();
        for (Pair<Integer, ArrayList<Integer>> pair : Dataset.of(ratchet, JOB, numbers, 4)
                .aggregateByKey(
                        number -> number % 7,
                        () -> new ArrayList<Integer>(),
                        (all, number) -> {
                            all.add(number);
                            return all;
                        },
                        (all, more) -> {
                            all.addAll(more);
                            return all;
                        })
                .collect()) {
            assertThat(byRest.put(pair.left(), pair.right())).isNull();
        }
        Map<Integer, List<Integer>> expected = numbers.stream()
                .collect(Collectors.groupingBy(number -> number % 7, TreeMap::new, Collectors.toList()));
        assertThat(byRest).hasSameSizeAs(expected);
        expected.forEach((rest, all) -> assertThat(byRest.get(rest)).containsExactlyInAnyOrderElementsOf(all));
    }

    @Test
    void aReductionIsThatOfAllElementsInTheirOrder() throws Exception {
        List<String> letters = "abcdefghijklmnopqrstuvwxyz"
                .chars()
                .mapToObj(Character::toString)
                .toList();

        assertThat(Dataset.of(ratchet, JOB, letters, 20)
                        .reduce("", String::concat)
                        .get())
                .isEqualTo("abcdefghijklmnopqrstuvwxyz");
        assertThat(Dataset.of(ratchet, JOB, List.<Integer>of(), 2)
                        .reduce(0, Integer::sum)
                        .get())
                .isZero();
    }

    @Test
    void whatCanNotBeReadOrWrittenIsToldByName() throws Exception {
        Files.writeString(folder.resolve("present"), "");
        String missing = folder.resolve("missing").toString();
        Dataset<Integer> numbers = Dataset.of(ratchet, JOB, List.of(1), 1);

        assertThatThrownBy(() -> Dataset.readFiles(ratchet, JOB, "data", "*", 1))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("'data' is not absolute");
        assertThatThrownBy(() -> Dataset.readFiles(ratchet, JOB, missing, "[", 1))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("glob '['");
        assertThatThrownBy(
                        () -> Dataset.readFiles(ratchet, JOB, missing, "*", 1).collect())
                .hasMessageContaining("has no folder " + missing);
        assertThatThrownBy(() -> numbers.write(folder.toString()).get())
                .hasMessageContaining("The folder " + folder + " is not empty");
        assertThat(folder.resolve("part-00000.txt")).doesNotExist();
    }
}
