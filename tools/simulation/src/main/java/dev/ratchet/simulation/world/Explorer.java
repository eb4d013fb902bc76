/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.world;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Goes through all orders of events, not only those of seeds: at each of the first {@code depth} places after
 * {@link #begin()} where several events may come next, every one of them does in some run; elsewhere the first does.
 */
public final class Explorer implements VirtualWorld.Chooser {

    private final int depth;
    private final List<Integer> taken = new ArrayList<>();
    private final List<Integer> counts = new ArrayList<>();
    private int place;
    private boolean begun;

    private Explorer(int depth) {
        this.depth = depth;
    }

    /**
     * Runs one world after the other until no order is left.
     *
     * @param run makes a world with the given chooser and checks it; two calls with equal choices must be equal
     * @return how many there were
     */
    public static int all(int depth, Consumer<Explorer> run) {
        Explorer explorer = new Explorer(depth);
        int runs = 0;
        do {
            explorer.place = 0;
            explorer.begun = false;
            run.accept(explorer);
            runs++;
        } while (explorer.hasNext());
        return runs;
    }

    /** From here on orders matter. */
    public void begin() {
        begun = true;
    }

    @Override
    public int next(int count) {
        if (!begun || place >= depth) {
            return 0;
        }
        if (place == taken.size()) {
            taken.add(0);
            counts.add(count);
        } else if (counts.get(place) != count) {
            throw new IllegalStateException("Two runs with equal choices differ: " + count + " events at place " + place
                    + " of " + taken + ", which were " + counts.get(place));
        }
        return taken.get(place++);
    }

    private boolean hasNext() {
        while (!taken.isEmpty()) {
            int last = taken.size() - 1;
            if (taken.get(last) + 1 < counts.get(last)) {
                taken.set(last, taken.get(last) + 1);
                return true;
            }
            taken.remove(last);
            counts.remove(last);
        }
        return false;
    }

    @Override
    public String toString() {
        return "choices " + taken;
    }
}
