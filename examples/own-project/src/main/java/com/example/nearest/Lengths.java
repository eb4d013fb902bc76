/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.nearest;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Program;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.util.List;

/** Adds up the lengths of its arguments. */
public final class Lengths implements Program {
    public void run(Ratchet ratchet, List<String> texts) throws InterruptedException {
        List<DurableFuture<Integer>> lengths = ratchet.map(texts, text -> text.length());
        DurableFuture<Integer> sum = ratchet.reduce(
                SubmitOptions.ofJob("sum"), lengths, all -> all.stream().mapToInt(n -> n).sum());
        System.out.println(sum.get());
    }
}
