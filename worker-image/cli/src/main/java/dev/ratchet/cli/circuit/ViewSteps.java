/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.circuit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ratchet.client.InvalidInputException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Follows a view by whole steps. What was begun when a connection broke is void; the next one goes on behind the last
 * step that was complete, so that each is told once. One thread.
 */
public final class ViewSteps {

    private static final long RECONNECT_MILLIS = 200;

    private final CircuitClient client;
    private final String path;
    private final Consumer<String> notes;
    private OptionalLong after;

    /** Takes steps in their order. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Takes a step.
         *
         * @param isSnapshot whether the lines are all rows of the view instead of what has changed
         * @param lines as the circuit writes them: the rows, and the one that says that the step is complete
         * @return whether to go on
         */
        boolean step(long step, boolean isSnapshot, List<JsonNode> lines);
    }

    /**
     * Prepares to follow.
     *
     * @param after the step behind which to begin; empty: with a snapshot
     * @param notes is told where a connection breaks
     */
    public ViewSteps(CircuitClient client, String view, OptionalLong after, Consumer<String> notes) {
        this.client = client;
        this.path = "/v1/views/" + CircuitClient.encoded(view) + "?follow=true";
        this.after = after;
        this.notes = notes;
    }

    /**
     * Goes on until the listener has had enough.
     *
     * @throws InvalidInputException if there is no such view, or the changes behind the step are not kept any more
     */
    public void follow(Listener listener) throws InterruptedException {
        while (true) {
            String place = after.isPresent() ? "&after=" + after.getAsLong() : "";
            try (InputStream body = client.get(path + place).body()) {
                BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
                if (read(lines, listener)) {
                    return;
                }
                notes.accept("the connection has ended, going on " + place());
            } catch (IOException broken) {
                notes.accept("the connection broke, going on " + place() + ": " + broken);
            }
            TimeUnit.MILLISECONDS.sleep(RECONNECT_MILLIS);
        }
    }

    private String place() {
        return after.isPresent() ? "behind step " + after.getAsLong() : "with a snapshot";
    }

    /** Whether the listener has had enough. */
    private boolean read(BufferedReader reader, Listener listener) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        boolean isSnapshot = false;
        for (String text = reader.readLine(); text != null; text = reader.readLine()) {
            if (text.isEmpty()) {
                continue;
            }
            JsonNode line = CircuitClient.JSON.readTree(text);
            if (line.has("error")) {
                throw CircuitClient.refused(line);
            }
            if (line.path("snapshot").asBoolean()) {
                lines.clear();
                isSnapshot = true;
            }
            lines.add(line);
            if (line.path("complete").asBoolean()) {
                long step = line.path("step").asLong();
                if (!listener.step(step, isSnapshot, lines)) {
                    return true;
                }
                after = OptionalLong.of(step);
                lines = new ArrayList<>();
                isSnapshot = false;
            }
        }
        return false;
    }
}
