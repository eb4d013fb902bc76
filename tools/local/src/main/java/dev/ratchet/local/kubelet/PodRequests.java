/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What pods ask of a node: the sum over their containers, or what the largest init container asks if that is more. */
record PodRequests(long cpuMillis, long memoryBytes) {

    static final PodRequests NONE = new PodRequests(0, 0);

    static PodRequests of(Pod pod) {
        PodRequests initial = pod.getSpec().getInitContainers().stream()
                .map(PodRequests::of)
                .reduce(
                        NONE,
                        (a, b) -> new PodRequests(
                                Math.max(a.cpuMillis, b.cpuMillis), Math.max(a.memoryBytes, b.memoryBytes)));
        PodRequests together =
                pod.getSpec().getContainers().stream().map(PodRequests::of).reduce(NONE, PodRequests::plus);
        return new PodRequests(
                Math.max(initial.cpuMillis, together.cpuMillis), Math.max(initial.memoryBytes, together.memoryBytes));
    }

    PodRequests plus(PodRequests other) {
        return new PodRequests(cpuMillis + other.cpuMillis, memoryBytes + other.memoryBytes);
    }

    /** Which resources would not fit, as the scheduler names them; empty when all fit. */
    List<String> missing(PodRequests used, long cpuMillisLimit, long memoryBytesLimit) {
        List<String> names = new ArrayList<>();
        if (used.cpuMillis + cpuMillis > cpuMillisLimit) {
            names.add("Insufficient cpu");
        }
        if (used.memoryBytes + memoryBytes > memoryBytesLimit) {
            names.add("Insufficient memory");
        }
        return names;
    }

    private static PodRequests of(Container container) {
        Map<String, Quantity> requests = container.getResources() == null
                ? null
                : container.getResources().getRequests();
        if (requests == null) {
            return NONE;
        }
        return new PodRequests(amount(requests.get("cpu"), 1000), amount(requests.get("memory"), 1));
    }

    private static long amount(@Nullable Quantity quantity, int unitsPerOne) {
        return quantity == null
                ? 0
                : quantity.getNumericalAmount()
                        .multiply(BigDecimal.valueOf(unitsPerOne))
                        .setScale(0, RoundingMode.CEILING)
                        .longValueExact();
    }
}
