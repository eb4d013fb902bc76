/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.logs;

import dev.ratchet.client.InvalidInputException;
import dev.ratchet.protocol.logs.v1.LogLine;
import dev.ratchet.protocol.logs.v1.LogPage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one worker in one direction, page by page. Says what can not be had: of a process that has gone, of
 * those that the newer ones have displaced, of a worker that does not answer.
 */
final class SeatLines {

    private final LineQuery query;
    private final String seat;
    private final boolean reverse;
    private final int pageLines;
    private final Consumer<String> losses;
    private final Deque<LogLine> buffer = new ArrayDeque<>();
    /** Of the process whose lines were read last; 0 = not known. */
    private long started;
    /** Forward: the next line to read. Backward: the line before which to read; 0 = the newest. */
    private long position;
    /** Where lines go on that were not there when the first page was read. */
    private long end;

    private boolean more = true;
    private boolean asked;

    SeatLines(LineQuery query, String seat, boolean reverse, int pageLines, Consumer<String> losses) {
        this.query = query;
        this.seat = seat;
        this.reverse = reverse;
        this.pageLines = pageLines;
        this.losses = losses;
    }

    /** Goes on where another one was. */
    SeatLines from(LogCursor.Position at) {
        started = at.started();
        position = at.number();
        end = reverse ? 0 : at.number();
        return this;
    }

    String seat() {
        return seat;
    }

    /** Where to go on behind the lines that were taken. */
    LogCursor.Position position() {
        LogLine next = buffer.peek();
        long number = next == null ? position : next.getNumber() + (reverse ? 1 : 0);
        return new LogCursor.Position(started, number);
    }

    /** Where lines go on that come from now on, however far this has been read. */
    LogCursor.Position end() {
        return new LogCursor.Position(started, end);
    }

    /** The next line, which stays; null if there is none now. */
    @Nullable
    SeatLine peek() {
        while (buffer.isEmpty() && more) {
            fetch();
        }
        LogLine next = buffer.peek();
        return next == null ? null : new SeatLine(seat, next);
    }

    void take() {
        buffer.remove();
    }

    /** Looks again for lines that were not there before. */
    void refresh() {
        more = more || !reverse;
    }

    private void fetch() {
        LogPage page;
        try {
            page = reverse ? query.backward(seat, position, pageLines) : query.forward(seat, position, pageLines);
        } catch (InvalidInputException unanswered) {
            more = false;
            if (!asked) {
                losses.accept(seat + ": " + unanswered.getMessage());
            }
            asked = true;
            return;
        }
        if (started != 0 && page.getStartedWallMillis() != started) {
            losses.accept(seat + " has started again: what its former process printed is lost");
            started = page.getStartedWallMillis();
            position = 0;
            if (!reverse) {
                return;
            }
        }
        if (!reverse && page.getOldest() > Math.max(1, position)) {
            losses.accept(
                    seat + " has dropped its lines before number " + page.getOldest() + ": newer ones took their room");
        }
        end = asked && reverse ? end : page.getNext();
        asked = true;
        started = page.getStartedWallMillis();
        if (reverse) {
            page.getLinesList().reversed().forEach(buffer::add);
            more = page.getMoreBefore();
            position = page.getLinesCount() == 0
                    ? Math.max(1, position)
                    : page.getLines(0).getNumber();
        } else {
            buffer.addAll(page.getLinesList());
            more = page.getMore();
            position = page.getNext();
        }
    }
}
