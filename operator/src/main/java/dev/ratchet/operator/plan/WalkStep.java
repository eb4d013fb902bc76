/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.cluster.UpgradeStrategy;

/**
 * Owns the arithmetic of an upgrade that adds workers of the new revision and removes others: how many come and go
 * next. It only counts what is in force, so that a walk which is interrupted goes on from where it is.
 *
 * @param adds workers that come
 * @param removes workers that go
 * @param changes workers that become others where they are
 */
record WalkStep(int adds, int removes, int changes) {
    static final WalkStep NONE = new WalkStep(0, 0);

    /** More would never end. */
    private static final int STEPS_MAX = 10_000;

    WalkStep(int adds, int removes) {
        this(adds, removes, 0);
    }

    /**
     * What is in force and what is wanted.
     *
     * @param updated workers of the revision that is walked to
     * @param others workers of another
     * @param surge workers that may exist above {@code wanted}
     * @param unavailable workers that may be missing
     * @param strategy in which order they come and go
     */
    record Counts(int updated, int others, int wanted, int surge, int unavailable, UpgradeStrategy strategy) {
        int total() {
            return updated + others;
        }
    }

    /** What the number of workers asks for whatever the upgrade does: it waits for no gate. */
    static WalkStep ofScale(Counts counts) {
        int least = counts.wanted() - counts.unavailable();
        int most = counts.wanted() + counts.surge();
        if (counts.total() < least) {
            return new WalkStep(least - counts.total(), 0);
        }
        return new WalkStep(0, Math.max(0, counts.total() - most));
    }

    /** The next step of the upgrade; none if nothing is to be replaced, or neither maximum allows one. */
    static WalkStep next(Counts counts) {
        if (counts.strategy() == UpgradeStrategy.IN_PLACE) {
            return new WalkStep(0, 0, Math.min(1, counts.others()));
        }
        WalkStep swap = swap(counts);
        if (!swap.equals(NONE)) {
            return swap;
        }
        int adds = Math.min(counts.wanted() - counts.updated(), counts.wanted() + counts.surge() - counts.total());
        if (adds > 0) {
            return new WalkStep(adds, 0);
        }
        int removes = Math.min(counts.others(), counts.total() - (counts.wanted() - counts.unavailable()));
        return new WalkStep(0, Math.max(0, removes));
    }

    /** New workers in the place of as many others, in one layout. */
    private static WalkStep swap(Counts counts) {
        int most =
                switch (counts.strategy()) {
                    case SURGE_THEN_REMOVE, IN_PLACE -> 0;
                    case REPLACE -> counts.surge();
                    case ALL_AT_ONCE -> counts.wanted();
                };
        int adds = Math.min(most, counts.wanted() - counts.updated());
        int stay = counts.strategy() == UpgradeStrategy.ALL_AT_ONCE ? 0 : Math.max(0, counts.others() - adds);
        return adds <= 0 || counts.others() == 0 ? NONE : new WalkStep(adds, counts.others() - stay);
    }

    /** How many steps it takes until no other worker is left. */
    static int steps(Counts counts) {
        int steps = 0;
        Counts now = counts;
        WalkStep next = next(now);
        while (!next.equals(NONE) && steps < STEPS_MAX) {
            steps++;
            int others = Math.min(now.others(), next.removes());
            now = new Counts(
                    now.updated() + next.adds() + next.changes() - (next.removes() - others),
                    now.others() - next.changes() - others,
                    now.wanted(),
                    now.surge(),
                    now.unavailable(),
                    now.strategy());
            next = next(now);
        }
        return Math.max(1, steps);
    }
}
