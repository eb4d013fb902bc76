/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;

/** A choice among few, the heavier the likelier. */
final class WeightedChoice {

    private WeightedChoice() {}

    static <T> T of(T[] all, ToIntFunction<T> weight, RandomGenerator random) {
        int sum = 0;
        for (T one : all) {
            sum += weight.applyAsInt(one);
        }
        int left = random.nextInt(sum);
        int index = 0;
        while (left >= weight.applyAsInt(all[index])) {
            left -= weight.applyAsInt(all[index++]);
        }
        return all[index];
    }
}
