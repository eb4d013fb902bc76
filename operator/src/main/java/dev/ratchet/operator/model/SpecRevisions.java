/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.ControllerRevisionBuilder;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Owns the memory of accepted specs: one ControllerRevision per distinct spec, numbered by the generation that was
 * accepted last. The highest number is what runs, whatever the status says.
 */
public final class SpecRevisions {
    /** As many as a Deployment keeps. */
    private static final int KEPT = 10;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private SpecRevisions() {}

    /** The revision that records {@code spec} as accepted at {@code generation}. */
    public static ControllerRevision of(Target target, ComputeClusterSpec spec, long generation) {
        return new ControllerRevisionBuilder()
                .withMetadata(target.metadata(name(target.name(), spec), target.labels()))
                .withRevision(generation)
                .withData(Map.of("spec", (Object) MAPPER.valueToTree(spec)))
                .build();
    }

    public static String name(String cluster, ComputeClusterSpec spec) {
        return Names.revision(cluster, Revision.shortHash(spec));
    }

    /** The revision accepted last. */
    public static Optional<ControllerRevision> latest(Collection<ControllerRevision> revisions) {
        return specs(revisions).max(Comparator.comparing(ControllerRevision::getRevision));
    }

    /** The spec in a revision; empty if this operator can not read it. */
    public static Optional<ComputeClusterSpec> spec(ControllerRevision revision) {
        JsonNode data = MAPPER.valueToTree(revision.getData());
        try {
            return Optional.ofNullable(MAPPER.treeToValue(data.path("spec"), ComputeClusterSpec.class));
        } catch (JsonProcessingException unreadable) {
            return Optional.empty();
        }
    }

    /** All specs that were accepted and are remembered, latest first. */
    public static List<ComputeClusterSpec> accepted(Collection<ControllerRevision> revisions) {
        return latestFirst(revisions)
                .map(SpecRevisions::spec)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Revisions beyond those that are kept. */
    public static List<ControllerRevision> superfluous(Collection<ControllerRevision> revisions) {
        return latestFirst(revisions).skip(KEPT).toList();
    }

    private static Stream<ControllerRevision> latestFirst(Collection<ControllerRevision> revisions) {
        return specs(revisions)
                .sorted(Comparator.comparing(ControllerRevision::getRevision).reversed());
    }

    private static Stream<ControllerRevision> specs(Collection<ControllerRevision> revisions) {
        return revisions.stream().filter(revision -> !WorkerRevisions.isWorkers(revision));
    }
}
