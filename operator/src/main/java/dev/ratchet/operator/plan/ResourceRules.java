/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.ContainerResources;
import dev.ratchet.crds.cluster.EmbeddedStoreSpec;
import dev.ratchet.crds.cluster.StorageSpec;
import dev.ratchet.operator.plan.SpecRules.Problem;
import dev.ratchet.operator.status.Reason;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Owns what makes quantities unacceptable: text that is no quantity, requests above limits, parts larger than their
 * whole.
 */
final class ResourceRules {
    /** The smallest heap and what was measured beside it. A worker has its object store too. */
    private static final long STORE_MEMORY_MIB_MIN = 192;

    private static final long WORKER_MEMORY_MIB_MIN = 256;

    private final List<Problem> problems = new ArrayList<>();

    private ResourceRules() {}

    static List<Problem> of(ComputeClusterSpec spec) {
        ResourceRules rules = new ResourceRules();
        rules.resources("spec.workers.resources", spec.workers.resources, WORKER_MEMORY_MIB_MIN);
        rules.storage("spec.workers.storage", spec.workers.storage);
        EmbeddedStoreSpec embedded = spec.store.embedded;
        if (embedded != null) {
            rules.resources("spec.store.embedded.resources", embedded.resources, STORE_MEMORY_MIB_MIN);
            rules.storage("spec.store.embedded.storage", embedded.storage);
        }
        rules.objectStore(spec);
        return rules.problems;
    }

    private void resources(String path, ContainerResources resources, long memoryMibMin) {
        resources.limits.forEach((name, limit) -> amount(path + ".limits." + name, limit));
        for (Map.Entry<String, Quantity> request : resources.requests.entrySet()) {
            Optional<BigDecimal> wanted = amount(path + ".requests." + request.getKey(), request.getValue());
            Quantity limit = resources.limits.get(request.getKey());
            if (wanted.isPresent() && limit != null) {
                parse(limit)
                        .filter(most -> wanted.get().compareTo(most) > 0)
                        .ifPresent(most -> invalid(path + ".requests." + request.getKey() + " is " + request.getValue()
                                + " and must not be more than the limit " + limit));
            }
        }
        Quantity memory = resources.limits.get("memory");
        if (memory != null) {
            parse(memory)
                    .filter(bytes -> bytes.compareTo(BigDecimal.valueOf(memoryMibMin << 20)) < 0)
                    .ifPresent(bytes -> invalid(path + ".limits.memory is " + memory + " and must be at least "
                            + memoryMibMin + "Mi to run"));
        }
    }

    private void storage(String path, @Nullable StorageSpec storage) {
        if (storage != null) {
            amount(path + ".size", storage.size)
                    .filter(bytes -> bytes.signum() == 0)
                    .ifPresent(bytes -> invalid(path + ".size must be more than 0"));
        }
    }

    private void objectStore(ComputeClusterSpec spec) {
        Quantity memory = spec.workers.objectStore.memory;
        Quantity spill = spec.workers.objectStore.spill;
        Quantity limit = spec.workers.resources.limits.get("memory");
        if (memory != null) {
            Optional<BigDecimal> bytes = amount("spec.workers.objectStore.memory", memory);
            if (bytes.isPresent() && limit != null) {
                parse(limit)
                        .filter(most ->
                                bytes.get().multiply(BigDecimal.valueOf(2)).compareTo(most) > 0)
                        .ifPresent(most -> invalid("spec.workers.objectStore.memory is " + memory
                                + " and must be at most half of the memory limit " + limit
                                + ", because the rest is for the heap"));
            }
        }
        StorageSpec storage = spec.workers.storage;
        if (spill != null) {
            Optional<BigDecimal> bytes = amount("spec.workers.objectStore.spill", spill);
            if (bytes.isPresent() && storage != null) {
                parse(storage.size)
                        .filter(most -> bytes.get().compareTo(most) > 0)
                        .ifPresent(most -> invalid("spec.workers.objectStore.spill is " + spill
                                + " and must not be more than the volume's " + storage.size));
            }
        }
    }

    private Optional<BigDecimal> amount(String path, Quantity quantity) {
        Optional<BigDecimal> amount = parse(quantity);
        if (amount.isEmpty() || amount.get().signum() < 0) {
            invalid(path + " is '" + quantity + "' and must be a quantity such as 500m or 2Gi");
            return Optional.empty();
        }
        return amount;
    }

    private static Optional<BigDecimal> parse(Quantity quantity) {
        try {
            return Optional.of(Quantity.getAmountInBytes(quantity));
        } catch (IllegalArgumentException | ArithmeticException notOne) {
            return Optional.empty();
        }
    }

    private void invalid(String message) {
        problems.add(new Problem(Reason.INVALID_SPEC, message));
    }
}
