/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.model;

import java.util.Arrays;
import java.util.List;

/** Where the scale subresource of a kind finds its numbers; {@code selector} is empty where the kind has none. */
public record ScalePaths(List<String> specReplicas, List<String> statusReplicas, List<String> selector) {

    /** From the paths of a definition, such as {@code .spec.workers.replicas}. */
    public static ScalePaths of(String specReplicas, String statusReplicas, String selector) {
        return new ScalePaths(steps(specReplicas), steps(statusReplicas), steps(selector));
    }

    private static List<String> steps(String path) {
        return Arrays.stream(path.split("\\.", -1))
                .filter(step -> !step.isEmpty())
                .toList();
    }
}
