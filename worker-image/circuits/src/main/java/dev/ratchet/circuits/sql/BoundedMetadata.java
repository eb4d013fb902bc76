/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.function.Supplier;
import org.apache.calcite.plan.RelOptPredicateList;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * What the planner asks about plans, up to a limit for one query. Whether columns of joins are unique it finds out by
 * asking about both sides of each, and where subqueries within subqueries read the rows around them those sides are
 * joins of the same plans again: the questions double with each, and planning would not end. Used by one thread.
 */
final class BoundedMetadata extends RelMetadataQuery {

    /** Comparisons of rows with those of two queries were seen to ask 100,000 times; so many take some seconds. */
    private static final int QUESTIONS_MAX = 500_000;

    private final int[] asked;

    private BoundedMetadata(int[] asked) {
        this.asked = asked;
    }

    /** Makes those of one query, which share its limit. */
    static Supplier<RelMetadataQuery> ofOneQuery() {
        int[] asked = new int[1];
        return () -> new BoundedMetadata(asked);
    }

    @Override
    public @Nullable Boolean areColumnsUnique(RelNode rel, ImmutableBitSet columns, boolean ignoreNulls) {
        count();
        return super.areColumnsUnique(rel, columns, ignoreNulls);
    }

    @Override
    public RelOptPredicateList getPulledUpPredicates(RelNode rel) {
        count();
        return super.getPulledUpPredicates(rel);
    }

    private void count() {
        if (++asked[0] > QUESTIONS_MAX) {
            throw new IllegalArgumentException("its subqueries read rows around them through too many others");
        }
    }
}
