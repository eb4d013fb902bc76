/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.log;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.logs.v1.LogLine;
import dev.ratchet.protocol.logs.v1.LogPage;
import dev.ratchet.protocol.logs.v1.ReadLogsRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Collects the lines that a page wants, of all that a ring has. Used once, by one thread. */
final class LogPageReader {

    private static final int PAGE_LINES_MAX = 1_000;
    private static final int PAGE_CHARS_MAX = 2 << 20;
    private static final int FUTURES_MAX = 1_000;

    private final int limit;
    private final boolean tail;
    private final long from;
    private final long before;
    private final LogFilter filter;
    private final Deque<LogLine> lines = new ArrayDeque<>();
    private long chars;
    private long oldest;
    private boolean more;

    LogPageReader(ReadLogsRequest request) {
        if (request.getFuturesCount() > FUTURES_MAX) {
            throw new InvalidInputException(
                    "Lines of at most " + FUTURES_MAX + " futures are read at once, not " + request.getFuturesCount());
        }
        limit = request.getLimit() <= 0 ? PAGE_LINES_MAX : Math.min(PAGE_LINES_MAX, request.getLimit());
        tail = request.getTail();
        from = Math.max(1, request.getFrom());
        before = tail && request.getBefore() > 0 ? request.getBefore() : Long.MAX_VALUE;
        List<ByteString> futures = new ArrayList<>(request.getFuturesList());
        if (!request.getFuture().isEmpty()) {
            futures.add(request.getFuture());
        }
        filter = LogFilter.of(request.getJob(), futures, request.getPattern());
    }

    /** Whether a ring that ends before line {@code end} has nothing for it. */
    boolean isBehind(long end) {
        return !tail && from >= end;
    }

    /** Takes a line as the ring keeps it, if it is before {@code end} and wanted. */
    void offer(String encoded, long end) {
        String[] parts = encoded.split("\t", 5);
        if (parts.length < 5) {
            return;
        }
        long number = Long.parseLong(parts[0]);
        oldest = oldest == 0 ? number : oldest;
        if (number >= Math.min(before, end) || (!tail && (number < from || more))) {
            return;
        }
        LogLine.Builder line = LogLine.newBuilder()
                .setNumber(number)
                .setWallMillis(Long.parseLong(parts[1]))
                .setJob(parts[3])
                .setText(parts[4]);
        if (!parts[2].equals("-")) {
            line.setFuture(Ids.bytes(FutureId.parse(parts[2])));
        }
        LogLine built = line.build();
        if (filter.matches(built)) {
            add(built);
        }
    }

    private void add(LogLine line) {
        if (lines.size() >= limit || chars > PAGE_CHARS_MAX) {
            more = true;
            if (!tail) {
                return;
            }
            chars -= lines.remove().getText().length();
        }
        lines.add(line);
        chars += line.getText().length();
    }

    /** @param end number of the line that the ring will have next */
    LogPage build(long end, long startedWallMillis) {
        boolean moreAfter = more && !tail;
        return LogPage.newBuilder()
                .addAllLines(lines)
                .setNext(moreAfter ? lines.getLast().getNumber() + 1 : end)
                .setMore(moreAfter)
                .setMoreBefore(more && tail)
                .setStartedWallMillis(startedWallMillis)
                .setOldest(oldest)
                .build();
    }
}
