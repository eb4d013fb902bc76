/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import dev.ratchet.bench.cluster.Cluster;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads whole views at steps that come as they come, and keeps what was answered in files. Used by one thread at a
 * time.
 */
final class CircuitAnswers {

    /**
     * Rows of a view after a step.
     *
     * @param position what is not above it, and nothing else, is in the step
     * @param rows a file of comma-separated values with a line of names
     */
    record Answer(LoadViews.View view, long step, String position, Path rows) {}

    private static final Duration ANSWER = Duration.ofSeconds(35);
    private static final long AGAIN_MILLIS = 100;

    private final Cluster cluster;
    private final HttpClient client;
    private final Path directory;
    private final Random random;
    private final List<Answer> answers = new ArrayList<>();
    private final Set<Long> steps = new ConcurrentSkipListSet<>();

    CircuitAnswers(Cluster cluster, HttpClient client, Path directory, long seed) throws IOException {
        this.cluster = cluster;
        this.client = client;
        this.directory = Files.createDirectories(directory);
        this.random = new Random(seed);
    }

    /**
     * Reads every view once, each from any worker, until it answers.
     *
     * @return the least position of those that were read
     */
    String readAll() throws IOException, InterruptedException {
        String least = null;
        long step = 0;
        for (LoadViews.View view : LoadViews.all()) {
            Answer answer = read(view);
            while (answer == null) {
                Thread.sleep(AGAIN_MILLIS);
                answer = read(view);
            }
            answers.add(answer);
            step = answer.step();
            least = least == null || answer.position().compareTo(least) < 0 ? answer.position() : least;
        }
        steps.add(step);
        return least == null ? "" : least;
    }

    private @Nullable Answer read(LoadViews.View view) throws IOException, InterruptedException {
        Path file = directory.resolve(view.name() + "-" + answers.size() + ".csv");
        HttpResponse<byte[]> answer;
        try {
            answer = client.send(
                    HttpRequest.newBuilder(cluster.circuit(random.nextInt(cluster.size()), "/v1/views/" + view.name()))
                            .header("Accept", "text/csv")
                            .timeout(ANSWER)
                            .build(),
                    BodyHandlers.ofByteArray());
        } catch (IOException killed) {
            return null;
        }
        if (answer.statusCode() == 503) {
            return null;
        }
        if (answer.statusCode() != 200) {
            throw new IOException("The view " + view.name() + " is answered with " + answer.statusCode() + " "
                    + new String(answer.body(), StandardCharsets.UTF_8));
        }
        Files.write(file, answer.body());
        return new Answer(
                view,
                answer.headers().firstValueAsLong("Ratchet-Step").orElseThrow(),
                answer.headers().firstValue("Ratchet-Position").orElseThrow(),
                file);
    }

    /** All that were read. */
    List<Answer> all() {
        return List.copyOf(answers);
    }

    /**
     * At how many different steps the views were read; each reading counts as one, though some views may be a step
     * older.
     */
    int steps() {
        return steps.size();
    }
}
