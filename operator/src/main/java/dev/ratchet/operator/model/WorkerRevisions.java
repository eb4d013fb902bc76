/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.crds.Labels;
import dev.ratchet.crds.Names;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.ControllerRevisionBuilder;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Owns the revisions of worker pods. A revision is the whole rendered template, kept in a ControllerRevision from the
 * moment a field of class Upgrade says something new, and never rendered again: neither another release of the operator
 * nor an edit of another field makes other pods. A spec whose fields of class Upgrade say what they said before has the
 * revision that it had before.
 */
public final class WorkerRevisions {
    /** As many as a Deployment keeps beyond those in use. */
    private static final int KEPT = 10;

    private static final String TEMPLATE = "template";

    /** What the fields of class Upgrade said, for people and for the way back that they ask for. */
    private static final String FIELDS = "fields";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Map<String, ControllerRevision> known = new TreeMap<>();
    private final String update;
    private final @Nullable ControllerRevision made;

    private WorkerRevisions(Collection<ControllerRevision> kept, Target target, long generation, String legacy) {
        kept.stream()
                .filter(WorkerRevisions::isWorkers)
                .forEach(revision -> known.put(revision.getMetadata().getName(), revision));
        String fields = Revision.shortHash(UpgradeFields.of(target.spec()));
        Optional<String> same = known.values().stream()
                .filter(revision -> fields.equals(fields(revision)))
                .map(revision -> revision.getMetadata().getName())
                .findFirst();
        boolean adopts = known.isEmpty() && !legacy.isEmpty();
        this.update = same.orElse(adopts ? legacy : Names.revision(target.name(), fields));
        this.made = known.containsKey(update) ? null : render(target, update, fields, generation);
    }

    /**
     * The revisions of a cluster.
     *
     * @param kept all its ControllerRevisions
     * @param generation at which the spec of {@code target} was accepted
     * @param legacy revision of the newest layout; "" for none. It names the pods of a cluster whose revisions were not
     *     kept yet
     */
    public static WorkerRevisions of(
            Collection<ControllerRevision> kept, Target target, long generation, String legacy) {
        return new WorkerRevisions(kept, target, generation, legacy);
    }

    /** Name of the revision that the spec in effect asks for. */
    public String update() {
        return update;
    }

    /** The revision that the spec asks for, if it is not kept yet. */
    public Optional<ControllerRevision> made() {
        return Optional.ofNullable(made);
    }

    /** Whether pods of this revision can be made, now or once it is kept. */
    public boolean isKnown(String revision) {
        return known.containsKey(revision) || revision.equals(update);
    }

    /** The revision of this name, if it is kept. */
    public Optional<ControllerRevision> kept(String revision) {
        return Optional.ofNullable(known.get(revision));
    }

    /** What it takes to make a pod of revision {@code from} one of {@code to}; empty if one of them is not known. */
    public Optional<InPlaceChange> change(String from, String to) {
        return either(from)
                .flatMap(before -> either(to).map(after -> InPlaceChange.between(template(before), template(after))));
    }

    /** The release that pods of this revision are made for; "" if that is not known. */
    public String version(String revision) {
        return either(revision)
                .map(kept -> kept.getMetadata().getAnnotations())
                .map(annotations -> annotations.getOrDefault(Names.VERSION_ANNOTATION, ""))
                .orElse("");
    }

    private Optional<ControllerRevision> either(String revision) {
        return revision.equals(update) && made != null ? Optional.of(made) : kept(revision);
    }

    /** Revisions beyond those in use and the last few. */
    public List<ControllerRevision> superfluous(Set<String> used) {
        return known.values().stream()
                .filter(revision -> !used.contains(revision.getMetadata().getName()))
                .filter(revision -> !revision.getMetadata().getName().equals(update))
                .sorted(Comparator.comparing(ControllerRevision::getRevision).reversed())
                .skip(KEPT)
                .toList();
    }

    /** Whether a ControllerRevision keeps worker pods, not a spec. */
    static boolean isWorkers(ControllerRevision revision) {
        Map<String, String> labels = revision.getMetadata().getLabels();
        return labels != null && Labels.WORKER.equals(labels.get(Labels.COMPONENT));
    }

    /** The template in a revision of workers. */
    static PodTemplateSpec template(ControllerRevision revision) {
        try {
            return MAPPER.treeToValue(tree(revision).path(TEMPLATE), PodTemplateSpec.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "ControllerRevision " + revision.getMetadata().getName() + " has no template of a pod", e);
        }
    }

    private static ControllerRevision render(Target target, String name, String fields, long generation) {
        Map<String, String> labels = target.labels();
        labels.put(Labels.COMPONENT, Labels.WORKER);
        Object template = MAPPER.valueToTree(WorkerPods.template(target));
        return new ControllerRevisionBuilder()
                .withNewMetadataLike(target.metadata(name, labels))
                .addToAnnotations(Names.REVISION_ANNOTATION, fields)
                .addToAnnotations(Names.VERSION_ANNOTATION, target.spec().version)
                .endMetadata()
                .withRevision(generation)
                .withData(Map.of(TEMPLATE, template, FIELDS, MAPPER.valueToTree(UpgradeFields.of(target.spec()))))
                .build();
    }

    private static String fields(ControllerRevision revision) {
        Map<String, String> annotations = revision.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault(Names.REVISION_ANNOTATION, "");
    }

    private static JsonNode tree(ControllerRevision revision) {
        return MAPPER.valueToTree(revision.getData());
    }
}
