/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.sink;

import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.FilesSink;
import dev.ratchet.dataflow.control.TermFence;
import dev.ratchet.dataflow.record.ProgramViews;
import dev.ratchet.dataflow.share.ReadingEvents;
import dev.ratchet.dataflow.share.ViewReader;
import dev.ratchet.dataflow.share.ViewReader.Reading;
import dev.ratchet.environment.Environment;
import dev.ratchet.membership.SeatLostException;
import dev.ratchet.protocol.dataflow.v1.ConsumerRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the files of one output for one term. The file of a step is written under a temporary name; then the position
 * of the output is moved past the step by a transaction that names the file; then the file gets its own name, and
 * whoever begins finds which one that is to happen to. What this knows is only where the store says that the output is:
 * after any failure it begins there again. A thread of its own, which sleeps while there is nothing to write.
 */
final class SinkWriter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SinkWriter.class);
    private static final long RETRY_MILLIS = 500;

    private final String name;
    private final SinkPositions positions;
    private final Supplier<Optional<CompiledProgram>> program;
    private final ViewReader views;
    private final Environment environment;
    private final ReadingEvents events;
    private volatile @Nullable FilesSink wanted;
    private volatile boolean closed;

    /** What the coordinator has made of the output last, but for its position. */
    private volatile ConsumerRecord ordered = ConsumerRecord.getDefaultInstance();

    /** The coordinator has made something else of the output since it was read. */
    private volatile boolean isChanged;

    private volatile String trouble = "";

    /** A step could not be taken, and comes again before anything else does; the thread's. */
    private boolean isStuck;

    SinkWriter(
            String name,
            SinkPositions positions,
            Supplier<Optional<CompiledProgram>> program,
            ViewReader views,
            Environment environment) {
        this.name = name;
        this.positions = positions;
        this.program = program;
        this.views = views;
        this.environment = environment;
        this.events = new ReadingEvents(environment);
    }

    void start() {
        environment.blockingExecutor().execute(this::run);
    }

    /** Says how the output is to be from the next step on; null: not at all. */
    void configure(@Nullable FilesSink changed) {
        wanted = changed;
        events.wake();
    }

    /** Tells the record of the output, null for none; calls come one at a time. */
    void ordered(@Nullable ConsumerRecord now) {
        if (now != null && (now.getLife() != ordered.getLife() || !now.getView().equals(ordered.getView()))) {
            ordered = now;
            isChanged = true;
            events.wake();
        }
    }

    /** Why nothing is written; empty where something is. */
    String trouble() {
        return wanted == null ? "" : trouble;
    }

    private void run() {
        while (!closed) {
            FilesSink sink = wanted;
            try {
                if (sink == null) {
                    events.pause(RETRY_MILLIS, () -> closed || wanted != null);
                } else {
                    follow(sink);
                }
            } catch (IOException | RuntimeException e) {
                failed(e);
            }
        }
    }

    private void failed(Exception e) {
        Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
        if (cause instanceof SeatLostException || cause instanceof TermFence.DeposedException) {
            LOG.info("The output {} is written elsewhere: {}", name, cause.getMessage());
            closed = true;
            return;
        }
        say(cause instanceof IllegalArgumentException ? String.valueOf(cause.getMessage()) : "" + cause, cause);
        pause();
    }

    private void say(String now, @Nullable Throwable cause) {
        if (!now.equals(trouble) && !closed) {
            LOG.warn("The output {} writes nothing, trying again: {}", name, now, cause);
        }
        trouble = now;
    }

    private void pause() {
        events.pause(RETRY_MILLIS, () -> closed);
    }

    /** Writes from the position of the output on, until that or the settings are not what they were. */
    private void follow(FilesSink sink) throws IOException {
        isChanged = false;
        Optional<CompiledProgram> running = program.get();
        Optional<ConsumerRecord> found = positions.read(name).join();
        if (running.isEmpty() || found.isEmpty()) {
            if (running.isPresent()
                    && ProgramViews.named(running.get(), sink.view()).isEmpty()) {
                throw new IllegalArgumentException("the program has no view " + sink.view() + "; the views are "
                        + ProgramViews.of(running.get()).stream()
                                .map(Relation::name)
                                .toList());
            }
            pause();
            return;
        }
        ConsumerRecord at = found.get();
        Relation view = ProgramViews.named(running.get(), at.getView())
                .orElseThrow(() -> new IllegalArgumentException("the program has no view " + at.getView()));
        if (!at.getFile().isEmpty()) {
            SinkFolder.publish(Path.of(at.getFile()));
        }
        SinkFolder folder = new SinkFolder(sink);
        folder.sweep(at.getLife(), at.getStep(), positions.term());
        follow(sink, folder, view, at);
    }

    private void follow(FilesSink sink, SinkFolder folder, Relation view, ConsumerRecord first) throws IOException {
        events.clear();
        try (Reading reading = views.follow(view.name(), first.getLife(), first.getStep(), events)) {
            ConsumerRecord at = first;
            if (!isStuck) {
                trouble = "";
            }
            while (at != null) {
                reading.request(1);
                ReadingEvents.Event event = events.next(() -> closed || isChanged || !sink.equals(wanted));
                isStuck = event != null;
                at = event == null ? null : take(event, folder, view, at);
                isStuck = false;
                trouble = "";
            }
        }
    }

    /** Where the output is then; null where it has to be looked at anew. */
    private @Nullable ConsumerRecord take(
            ReadingEvents.Event event, SinkFolder folder, Relation view, ConsumerRecord at) throws IOException {
        return switch (event) {
            case ReadingEvents.Changes changes -> write(changes, folder, view, at);
            case ReadingEvents.Progress progress ->
                moved(at, at.toBuilder().setStep(progress.step()).clearFile().build());
            case ReadingEvents.Expired expired ->
                throw new IllegalArgumentException("the changes behind step " + at.getStep() + " are not kept any more,"
                        + " only those behind step " + expired.oldestStep()
                        + "; remove the output and add it again, and read the view for what was before");
            case ReadingEvents.Failed failed -> {
                LOG.info("The output {} follows its view anew: {}", name, failed.reason());
                pause();
                yield null;
            }
        };
    }

    private @Nullable ConsumerRecord write(
            ReadingEvents.Changes changes, SinkFolder folder, Relation view, ConsumerRecord at) throws IOException {
        long step = changes.step();
        Path temporary = folder.write(
                at.getLife(),
                step,
                positions.inputOf(step).join(),
                positions.term(),
                view,
                Objects.requireNonNull(changes.rows().get(view.name())));
        ConsumerRecord behind = moved(
                at, at.toBuilder().setStep(step).setFile(temporary.toString()).build());
        if (behind != null) {
            SinkFolder.publish(temporary);
        }
        return behind;
    }

    private @Nullable ConsumerRecord moved(ConsumerRecord at, ConsumerRecord behind) {
        return positions.move(name, at, behind).join() ? behind : null;
    }

    /** Does not wait for a file that is being written, which the next writer takes up. */
    @Override
    public void close() {
        closed = true;
        events.wake();
    }
}
