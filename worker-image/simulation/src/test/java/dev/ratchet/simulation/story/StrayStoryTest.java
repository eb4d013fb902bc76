/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.story;

import dev.ratchet.simulation.cluster.Defects;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Stories in which calls of libraries throw what nobody expects, for some seconds: nothing that fails leaves anything
 * hanging. How futures end is not looked at, that they do is, and that every rule holds. More seeds:
 * {@code -Dratchet.straySeeds=1000}.
 */
class StrayStoryTest extends Stories {

    static LongStream seeds() {
        long first = Long.getLong("ratchet.firstSeed", 1);
        return LongStream.range(first, first + Integer.getInteger("ratchet.straySeeds", 40));
    }

    @Override
    Story story(long seed) {
        SplittableRandom random = new SplittableRandom(~seed);
        List<Happening> happenings = new ArrayList<>(super.story(seed).happenings());
        happenings.add(new Happening(
                random.nextLong(Happening.LENGTH_MILLIS),
                Happening.Kind.STRAY,
                1 + random.nextInt(random.nextBoolean() ? 20 : 200),
                -1,
                random.nextLong(15_000)));
        happenings.sort(Comparator.comparingLong(Happening::atMillis));
        return new Story(seed, happenings, Defects.NONE);
    }
}
