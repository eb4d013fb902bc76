/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.logs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lines of several workers as one log, by time. Those of one worker keep their order whatever its clock does; those
 * of several are as well ordered as their clocks agree.
 */
public final class MergedLines {

    private static final int BUFFERED_LINES = 10_000;
    private static final int PAGE_LINES_MIN = 20;
    private static final int PAGE_LINES_MAX = 1_000;

    private final LineQuery query;
    private final boolean reverse;
    private final Consumer<String> losses;
    private final Map<String, SeatLines> sources = new TreeMap<>();

    /** @param losses is told what can not be had */
    public MergedLines(LineQuery query, boolean reverse, Consumer<String> losses) {
        this.query = query;
        this.reverse = reverse;
        this.losses = losses;
    }

    /** Adds the workers that are not there yet: from the first of their lines, or the last, or where a cursor was. */
    public void add(List<String> seats, Optional<LogCursor> cursor) {
        int pageLines = Math.clamp(BUFFERED_LINES / Math.max(1, seats.size()), PAGE_LINES_MIN, PAGE_LINES_MAX);
        for (String seat : seats) {
            sources.computeIfAbsent(seat, name -> {
                SeatLines lines = new SeatLines(query, name, reverse, pageLines, losses);
                LogCursor.Position at =
                        cursor.isEmpty() ? null : cursor.get().seats().get(name);
                return at == null ? lines : lines.from(at);
            });
        }
    }

    /** At most {@code limit} of the next lines; fewer if there are no more now. */
    public List<SeatLine> next(int limit) {
        List<SeatLine> lines = new ArrayList<>();
        for (SeatLine line = take(); line != null; line = lines.size() < limit ? take() : null) {
            lines.add(line);
        }
        return lines;
    }

    public boolean hasNext() {
        return first() != null;
    }

    /** Where to go on. */
    public LogCursor cursor() {
        Map<String, LogCursor.Position> at = new TreeMap<>();
        sources.forEach((seat, lines) -> at.put(seat, lines.position()));
        return new LogCursor(reverse, at);
    }

    /** Where to go on forward with what was not there when this was first read. */
    public LogCursor end() {
        Map<String, LogCursor.Position> at = new TreeMap<>();
        sources.forEach((seat, lines) -> at.put(seat, lines.end()));
        return new LogCursor(false, at);
    }

    /** Looks again for lines that have come meanwhile. */
    public void refresh() {
        sources.values().forEach(SeatLines::refresh);
    }

    private @Nullable SeatLine take() {
        SeatLines from = first();
        if (from == null) {
            return null;
        }
        SeatLine line = from.peek();
        from.take();
        return line;
    }

    private @Nullable SeatLines first() {
        SeatLines best = null;
        SeatLine bestLine = null;
        for (SeatLines source : sources.values()) {
            SeatLine line = source.peek();
            if (line != null && (bestLine == null || isBefore(line, bestLine))) {
                best = source;
                bestLine = line;
            }
        }
        return best;
    }

    private boolean isBefore(SeatLine one, SeatLine other) {
        int order = SeatLine.BY_TIME.compare(one, other);
        return reverse ? order > 0 : order < 0;
    }
}
