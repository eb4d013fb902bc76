/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.dataflow.FilesSink;
import dev.ratchet.dataflow.InputRequest;
import dev.ratchet.dataflow.InputSource;
import dev.ratchet.dataflow.RowFormat;
import dev.ratchet.dataflow.TableRows;
import dev.ratchet.dataflow.log.StoredInputLog;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.LastReceived;
import dev.ratchet.dataflow.record.LogPosition;
import dev.ratchet.protocol.dataflow.v1.ConsumerRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder that files with rows come to, and the one that files with changes are taken from. Both are not there now
 * and then. Whoever takes the files sees each of them once, and never with another content.
 */
final class CircuitFolders {

    /** What the files have rows of. */
    static final String TABLE = "f";

    private static final int FILES_MAX = 8;
    private static final int ROWS_MAX = 20;
    private static final Pattern NAME =
            Pattern.compile("(?<output>[a-z]+)-000001-(?<step>[0-9]{19})-(?<position>[0-9a-f]+)\\.ndjson");

    private final CircuitCluster circuit;
    private final SplittableRandom random;
    private final Path in;
    private final Path out;
    private final int count;
    private final Map<String, byte[]> given = new TreeMap<>();
    private final Map<String, String> seen = new TreeMap<>();
    private final Set<String> takenAway = new HashSet<>();
    private int away;

    CircuitFolders(CircuitCluster circuit, SplittableRandom random, Path directory) {
        this.circuit = circuit;
        this.random = random;
        this.in = in(directory);
        this.out = out(directory);
        this.count = 1 + random.nextInt(FILES_MAX);
        try {
            Files.createDirectories(in);
            Files.createDirectories(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path in(Path directory) {
        return directory.resolve("in");
    }

    private static Path out(Path directory) {
        return directory.resolve("out");
    }

    static InputSource source(Path directory, SplittableRandom random) {
        return new InputSource.Files(TABLE, in(directory).toString(), 100 + random.nextInt(2_000));
    }

    static FilesSink sink(Path directory, String name, String view) {
        return new FilesSink(name, view, out(directory).toString(), RowFormat.NDJSON);
    }

    /** Lets files come and be taken away, each within so long of the one before. */
    void begin(int pauseMillisMax) {
        give(pauseMillisMax);
        take();
    }

    private void give(int pauseMillisMax) {
        if (given.size() < count) {
            circuit.cluster.later(random.nextInt(pauseMillisMax), () -> {
                if (away == 0) {
                    give();
                }
                give(pauseMillisMax);
            });
        }
    }

    private void give() {
        boolean csv = random.nextBoolean();
        StringBuilder file = new StringBuilder(csv ? "k,v\n" : "");
        StringBuilder rows = new StringBuilder();
        for (int row = random.nextInt(ROWS_MAX); row >= 0; row--) {
            int k = random.nextInt(8);
            int v = random.nextInt(8);
            String json = "{\"k\":%d,\"v\":%d}\n".formatted(k, v);
            rows.append(json);
            file.append(csv ? k + "," + v + "\n" : json);
        }
        String name = "%03d.%s".formatted(given.size(), csv ? "csv" : "ndjson");
        given.put(name, rows.toString().getBytes(StandardCharsets.UTF_8));
        try {
            Path hidden = Files.writeString(in.resolve("." + name), file);
            Files.move(hidden, in.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void take() {
        circuit.cluster.later(20 + random.nextInt(500), () -> {
            if (away == 0) {
                look();
            }
            take();
        });
    }

    private void look() {
        try (Stream<Path> files = Files.list(out)) {
            for (Path file : files.sorted().toList()) {
                String name = String.valueOf(file.getFileName());
                if (name.startsWith(".")) {
                    continue;
                }
                String content = Files.readString(file);
                String before = seen.putIfAbsent(name, content);
                if (takenAway.contains(name) || (before != null && !before.equals(content))) {
                    circuit.told.mistake(name + " came again, with " + content + " in place of " + before);
                }
                if (random.nextBoolean()) {
                    Files.delete(file);
                    takenAway.add(name);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nobody finds the folders until they are {@link #back}. */
    void away() {
        if (away++ == 0) {
            move("", "-away");
        }
    }

    void back() {
        if (--away == 0) {
            move("-away", "");
        }
    }

    private void move(String from, String to) {
        try {
            for (Path folder : List.of(in, out)) {
                Files.move(Path.of(folder + from), Path.of(folder + to));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Adds what the log has of the files to what was sent, each at its position; false where it has not all of them.
     */
    boolean received() {
        DataflowStore store = new DataflowStore(circuit.cluster.database, circuit.cluster.keyspace);
        Map<String, LastReceived> producers = circuit.cluster.await(circuit.cluster.database.readAsync(
                transaction -> DataflowStore.byName(transaction, store.producers())));
        int found = 0;
        for (Map.Entry<String, byte[]> file : given.entrySet()) {
            String prefix = StoredInputLog.SOURCE_PREFIX + TABLE + "/" + file.getKey() + "#";
            for (Map.Entry<String, LastReceived> producer : producers.entrySet()) {
                if (producer.getKey().startsWith(prefix)) {
                    LastReceived last = producer.getValue();
                    TableRows rows = new TableRows(TABLE, RowFormat.NDJSON, file.getValue());
                    circuit.sent.put(
                            LogPosition.shown(last.position()),
                            new InputRequest(producer.getKey(), last.sequence(), List.of(rows)));
                    found++;
                }
            }
        }
        return found == count;
    }

    /** The step up to which outputs have written their files, and these were seen, but for the last one. */
    long writtenStep(List<FilesSink> outputs) {
        DataflowStore store = new DataflowStore(circuit.cluster.database, circuit.cluster.keyspace);
        Map<String, ConsumerRecord> consumers = circuit.cluster.await(circuit.cluster.database.readAsync(
                transaction -> DataflowStore.byName(transaction, store.consumers())));
        long written = Long.MAX_VALUE;
        for (FilesSink output : outputs) {
            ConsumerRecord at = consumers.get(DataflowStore.SINK_PREFIX + output.name());
            boolean isSeen = at != null && (at.getFile().isEmpty() || seen.containsKey(named(at.getFile())));
            written = Math.min(written, isSeen ? at.getStep() : -1);
        }
        return written;
    }

    /** The name that a file gets in place of its temporary one. */
    private static String named(String temporary) {
        String hidden = String.valueOf(Path.of(temporary).getFileName());
        return hidden.substring(1, hidden.indexOf(".ndjson") + ".ndjson".length());
    }

    int count() {
        return count;
    }

    /** Steps of an output whose files were seen, with their contents. */
    Map<Long, String> seen(FilesSink sink, Map<Long, String> ends) {
        Map<Long, String> steps = new TreeMap<>();
        seen.forEach((file, content) -> {
            Matcher name = NAME.matcher(file);
            assertThat(name.matches()).as("name of " + file).isTrue();
            if (name.group("output").equals(sink.name())) {
                long step = Long.parseLong(name.group("step"));
                assertThat(name.group("position")).as("position of " + file).isEqualTo(ends.get(step));
                steps.put(step, content);
            }
        });
        return steps;
    }
}
