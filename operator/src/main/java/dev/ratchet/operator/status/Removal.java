/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.status;

import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.worker.ProofOfRemoval;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Optional;

/**
 * Owns the proof that a seat can be removed, as it is recorded on the ComputeWorker: why, and what the proof is about.
 *
 * @param epoch of the layout in force, which lacks the seat
 * @param term of the coordinator that said so; 0 if no process of the cluster ever ran
 * @param incarnation of the seat that holds nothing; 0 if it was never taken
 */
public record Removal(Reason reason, long epoch, long term, long incarnation) {
    /**
     * What is recorded. Only for the generation of the spec that was marked as leaving: a seat that stayed and leaves
     * again has another one.
     */
    public static Optional<Removal> recorded(ComputeWorker worker) {
        Long generation = worker.getMetadata().getGeneration();
        if (!worker.getSpec().retire || worker.getStatus() == null || generation == null) {
            return Optional.empty();
        }
        ProofOfRemoval proof = worker.getStatus().removalProof;
        if (proof == null) {
            return Optional.empty();
        }
        return Conditions.find(worker.getStatus().conditions, ConditionType.REMOVABLE)
                .filter(condition ->
                        "True".equals(condition.getStatus()) && generation.equals(condition.getObservedGeneration()))
                .map(condition -> new Removal(reason(condition), proof.epoch, proof.term, proof.incarnation));
    }

    /** The block of the status that goes with the condition. */
    ProofOfRemoval proof() {
        ProofOfRemoval proof = new ProofOfRemoval();
        proof.epoch = epoch;
        proof.term = term;
        proof.incarnation = incarnation;
        return proof;
    }

    private static Reason reason(Condition condition) {
        for (Reason known : new Reason[] {Reason.NOT_TAKEN, Reason.NEVER_STARTED}) {
            if (known.word().equals(condition.getReason())) {
                return known;
            }
        }
        return Reason.HOLDS_NOTHING;
    }
}
