/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.isolation.MarkedOutput.Line;
import dev.ratchet.futures.log.LogOwner;
import dev.ratchet.futures.log.TaskOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What several attempts print by turns is told apart by whoever reads it. */
class MarkedOutputTest {

    private final FutureId one = FutureId.ofKey("default", "one");
    private final FutureId other = FutureId.ofKey("default", "other");
    private final ByteArrayOutputStream pipe = new ByteArrayOutputStream();
    private final PrintStream out = new TaskOutput.Unclosable(new MarkedOutput(pipe));

    @AfterEach
    void attributeNothing() {
        TaskOutput.attribute(null);
    }

    private void print(FutureId future, String text) {
        TaskOutput.attribute(new LogOwner(future, "job"));
        out.print(text);
    }

    private Stream<Line> read() {
        List<Line> lines = new ArrayList<>();
        try (MarkedLines reader = new MarkedLines(new StringReader(pipe.toString(StandardCharsets.UTF_8)))) {
            for (Line line = reader.next(); line != null; line = reader.next()) {
                lines.add(line);
            }
        } catch (IOException unschedulable) {
            throw new UncheckedIOException(unschedulable);
        }
        return lines.stream();
    }

    @Test
    void eachLineBelongsToWhoeverPrintsIt() {
        print(one, "first\n\nthird, ");
        print(one, "in pieces\n");
        print(other, "tâche\n");
        TaskOutput.attribute(null);
        out.println("of the process");

        assertThat(read())
                .containsExactly(
                        new Line(Optional.of(one), "first"),
                        new Line(Optional.of(one), ""),
                        new Line(Optional.of(one), "third, in pieces"),
                        new Line(Optional.of(other), "tâche"),
                        new Line(Optional.empty(), "of the process"));
    }

    @Test
    void anUnfinishedLineIsThereAtOnceAndEndsWhereAnotherPrints() {
        print(one, "unfinished");
        assertThat(read()).containsExactly(new Line(Optional.of(one), "unfinished"));

        print(other, "whole\n");
        assertThat(read())
                .containsExactly(new Line(Optional.of(one), "unfinished"), new Line(Optional.of(other), "whole"));
    }

    /** As a task does that prints without an end of line for as long as it is let. */
    @Test
    void aLineWithoutAnEndComesInPiecesOfItsOwner() throws Exception {
        int length = 2 * MarkedLines.PIECE_CHARS_MAX;
        print(one, "x".repeat(length));
        print(other, "next\r\n\nlast");

        try (MarkedLines lines = new MarkedLines(new StringReader(pipe.toString(StandardCharsets.UTF_8)))) {
            StringBuilder whole = new StringBuilder();
            while (whole.length() < length) {
                Line piece = lines.next();
                assertThat(piece.owner()).hasValue(one);
                assertThat(piece.text().length()).isBetween(1, MarkedLines.PIECE_CHARS_MAX);
                whole.append(piece.text());
            }
            assertThat(whole).hasToString("x".repeat(length));
            assertThat(lines.next()).isEqualTo(new Line(Optional.of(other), "next"));
            assertThat(lines.next()).isEqualTo(new Line(Optional.of(other), ""));
            assertThat(lines.next()).isEqualTo(new Line(Optional.of(other), "last"));
            assertThat(lines.next()).isNull();
        }
    }

    @Test
    void whatLooksLikeAMarkAndIsNoneIsText() {
        String text = "\u0001" + "not the id of a future, 36 characters".substring(0, 36) + "\u0001";

        assertThat(MarkedOutput.read(text)).isEqualTo(new Line(Optional.empty(), text));
        assertThat(MarkedOutput.read("\u0001")).isEqualTo(new Line(Optional.empty(), "\u0001"));
    }
}
