/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import dev.ratchet.simulation.cluster.Defects;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Scenarios in which calls of libraries throw what nobody expects, for some seconds: nothing that fails leaves anything
 * hanging. How futures end is not looked at, that they do is, and that every rule holds. More seeds:
 * {@code -Dratchet.straySeeds=1000}.
 */
class StrayScenarioTest extends Scenarios {

    static LongStream seeds() {
        long first = Long.getLong("ratchet.firstSeed", 1);
        return LongStream.range(first, first + Integer.getInteger("ratchet.straySeeds", 40));
    }

    @Override
    Scenario scenario(long seed) {
        SplittableRandom random = new SplittableRandom(~seed);
        List<FaultEvent> faultEvents = new ArrayList<>(super.scenario(seed).faultEvents());
        faultEvents.add(new FaultEvent(
                random.nextLong(FaultEvent.LENGTH_MILLIS),
                FaultEvent.Kind.STRAY,
                1 + random.nextInt(random.nextBoolean() ? 20 : 200),
                -1,
                random.nextLong(15_000)));
        faultEvents.sort(Comparator.comparingLong(FaultEvent::atMillis));
        return new Scenario(seed, faultEvents, Defects.NONE);
    }
}
