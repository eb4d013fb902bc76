/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import org.jspecify.annotations.Nullable;

/**
 * How the threads of a process agree: each says its part and they meet at a barrier. Where there are other processes,
 * one thread then agrees with them for all, while the others wait once more.
 */
final class ThreadAgreement implements Agreement {

    private final StepBarrier barrier;
    private final @Nullable Agreement processes;

    /** Two rows in turn, so that one is read while the next is written. */
    private final int[][] numbers;

    private final @Nullable StepRejectedException[][] rejections;

    /** Of each thread, which row comes next. */
    private final int[] turns;

    private int leastOfAll;
    private @Nullable StepRejectedException firstOfAll;

    /** @param processes null for a circuit in one process */
    ThreadAgreement(int parties, StepBarrier barrier, @Nullable Agreement processes) {
        this.barrier = barrier;
        this.processes = processes;
        this.numbers = new int[2][parties];
        this.rejections = new StepRejectedException[2][parties];
        this.turns = new int[parties];
    }

    @Override
    public void exchange(int party) {
        barrier.await(party);
        if (processes != null) {
            if (party == 0) {
                processes.exchange(party);
            }
            barrier.await(party);
        }
    }

    @Override
    public int least(int party, int value) {
        int[] said = numbers[nextTurn(party)];
        said[party] = value;
        barrier.await(party);
        if (processes == null) {
            return least(said);
        }
        if (party == 0) {
            leastOfAll = processes.least(party, least(said));
        }
        barrier.await(party);
        return leastOfAll;
    }

    @Override
    public @Nullable StepRejectedException first(int party, @Nullable StepRejectedException rejection) {
        @Nullable StepRejectedException[] said = rejections[nextTurn(party)];
        said[party] = rejection;
        barrier.await(party);
        if (processes == null) {
            return first(said);
        }
        if (party == 0) {
            firstOfAll = processes.first(party, first(said));
        }
        barrier.await(party);
        return firstOfAll;
    }

    private int nextTurn(int party) {
        turns[party] ^= 1;
        return turns[party];
    }

    private static int least(int[] said) {
        int least = Integer.MAX_VALUE;
        for (int value : said) {
            least = Math.min(least, value);
        }
        return least;
    }

    private static @Nullable StepRejectedException first(@Nullable StepRejectedException[] said) {
        for (StepRejectedException rejection : said) {
            if (rejection != null) {
                return rejection;
            }
        }
        return null;
    }
}
