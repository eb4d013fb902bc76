/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.apply;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.operator.plan.Action;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The writes that the operator makes. What is written is seen by the next snapshot at once, whatever the watches say.
 */
public interface ApiWriter {
    /** Server-side apply as our field manager, forced. */
    HasMetadata apply(HasMetadata wanted);

    /** Creates an object; empty if one of that name was there. */
    Optional<HasMetadata> create(HasMetadata wanted);

    /**
     * Replaces the status of a ComputeWorker or ComputeLayout, if the object is still of the version that
     * {@code object} has.
     */
    void writeStatus(HasMetadata object);

    /** Replaces the status of the cluster itself, under the same condition. */
    void writePrimaryStatus(ComputeCluster cluster);

    /** Carries out {@code patch} if the pod is still of the version that it has there; tells whether it was. */
    boolean patch(Action.Patch patch);

    /** Deletes the object if it still has the UID of {@code live}; that it is gone is fine. */
    void delete(HasMetadata live, OptionalLong graceSeconds);

    /** Whether the namespace is being deleted, so that everything in it goes and nothing can be made. */
    boolean namespaceEnds(String namespace);

    /** Reads one object past the caches. */
    Optional<HasMetadata> read(HasMetadata like);
}
