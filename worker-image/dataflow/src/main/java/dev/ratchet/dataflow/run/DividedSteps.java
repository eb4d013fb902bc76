/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

import com.apple.foundationdb.tuple.Versionstamp;
import dev.ratchet.dataflow.follow.CounterWatch;
import dev.ratchet.dataflow.record.LogPosition;
import dev.ratchet.protocol.dataflow.v1.DivisionRecord;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a run that are divided, in their order, each with its input. The store is asked only where it may have
 * more than it had. One thread.
 */
final class DividedSteps {

    /** A step with the requests that its division names. */
    record DividedStep(long number, DivisionRecord division, List<LoggedRequest> requests) {}

    private final InputLogReader log;
    private final CounterWatch news;
    private final Deque<DivisionRecord> known = new ArrayDeque<>();
    private long step;
    private Versionstamp position;

    /**
     * Those behind a step whose input ends at a position.
     *
     * @param news tells of further ones once all have been seen; closed by who made it
     */
    DividedSteps(InputLogReader log, CounterWatch news, long step, Versionstamp position) {
        this.log = log;
        this.news = news;
        this.step = step;
        this.position = position;
    }

    /** The next one; null where it is not divided yet, and the watch is set. Blocks. */
    @Nullable
    DividedStep next() {
        List<LoggedRequest> requests;
        if (!known.isEmpty()) {
            requests = log.read(position, known.getFirst());
        } else if (news.isSet()) {
            return null;
        } else {
            InputLogReader.Divided read = log.readAfter(step, position, news);
            if (read.divisions().isEmpty()) {
                return null;
            }
            known.addAll(read.divisions());
            requests = read.first();
        }
        DivisionRecord division = known.removeFirst();
        Versionstamp end = LogPosition.decoded(division.getEnd());
        assert end.compareTo(position) >= 0 : "step " + (step + 1) + " ends before it begins";
        step++;
        position = end;
        return new DividedStep(step, division, requests);
    }
}
