/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.apply;

import dev.ratchet.crds.Labels;
import dev.ratchet.crds.Names;
import dev.ratchet.operator.observe.NamespaceTermination;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.plan.Action;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the carrying out of plans, in order. What the API server refuses ends the steps of that seat, and everything
 * only where all relies on it; a server that fails or can not be reached ends everything. It remembers what it wrote a
 * moment ago, so that a cache that lags behind, or an API server that stores something else than what was sent, leads
 * neither to a second write nor to an endless loop. Thread-safe.
 */
public final class Applier {
    private static final Logger LOG = LoggerFactory.getLogger(Applier.class);

    /** After that a delete that had no effect is repeated. */
    private static final Duration DELETE_REPEATED_AFTER = Duration.ofSeconds(30);

    /** Nothing may be made without the record of the spec, the network policy and the authority. */
    private static final String ALL = "";

    private final InstantSource clock;
    private final RefusalBackoff refusals = new RefusalBackoff();
    private final Map<String, String> applied = LruMap.bounded();
    private final Map<String, Instant> deleted = LruMap.bounded();

    public Applier(InstantSource clock) {
        this.clock = clock;
    }

    /** Carries out {@code actions}; throws what is no refusal, such as that the API server is not reached. */
    public ApplyOutcome apply(List<Action> actions, ApiWriter writer, SnapshotVersions versions) {
        int writes = 0;
        List<Refusal> refused = new ArrayList<>();
        Set<String> stopped = new HashSet<>();
        for (Action action : actions) {
            String part = part(action);
            if (stopped.contains(part)) {
                continue;
            }
            Optional<Refusal> refusal = refusals.current(attempt(action), clock.instant());
            if (refusal.isEmpty()) {
                try {
                    writes += apply(action, writer, versions) ? 1 : 0;
                    refusals.forget(attempt(action));
                    continue;
                } catch (KubernetesClientException | ForeignObjectException failure) {
                    if (NamespaceTermination.isCauseOf(failure)) {
                        return new ApplyOutcome(writes, refused, true);
                    }
                    if (!Refusal.is(failure)) {
                        throw failure;
                    }
                    refusal = Optional.of(note(action, failure));
                }
            }
            refused.add(refusal.get());
            if (part.equals(ALL)) {
                break;
            }
            stopped.add(part);
        }
        return new ApplyOutcome(writes, refused, false);
    }

    private Refusal note(Action action, RuntimeException failure) {
        String message = Refusal.message(failure);
        LOG.warn("{} was refused: {}", key(action.object()), message);
        return refusals.note(attempt(action), Snapshot.title(action.object()), message, clock.instant());
    }

    /** What is not done when the action is refused: the rest of its seat, all, or nothing else. */
    private static String part(Action action) {
        HasMetadata object = action.object();
        Map<String, String> labels = object.getMetadata().getLabels();
        if (labels != null && labels.containsKey(Labels.SEAT)) {
            return labels.getOrDefault(Labels.SEAT, "");
        }
        if (labels != null && Labels.STORE.equals(labels.get(Labels.COMPONENT))) {
            return Labels.STORE;
        }
        boolean makes = !(action instanceof Action.Delete);
        boolean carriesAll = object instanceof ControllerRevision
                || object instanceof NetworkPolicy
                || (labels != null
                        && object instanceof Secret
                        && object.getMetadata()
                                .getName()
                                .equals(Names.authoritySecret(labels.getOrDefault(Labels.CLUSTER, ""))));
        return makes && carriesAll ? ALL : key(object);
    }

    /** Another attempt as soon as something else is wanted. */
    private static String attempt(Action action) {
        Map<String, String> annotations = action.object().getMetadata().getAnnotations();
        String revision = annotations == null ? "" : annotations.getOrDefault(Names.REVISION_ANNOTATION, "");
        return action.getClass().getSimpleName() + " " + key(action.object()) + "@" + revision;
    }

    /** Tells the version of an object in the snapshot that the plan was made from. */
    public interface SnapshotVersions {
        /** Its resourceVersion; "" for an object that is not there. */
        String of(HasMetadata like);
    }

    private boolean apply(Action action, ApiWriter writer, SnapshotVersions versions) {
        return switch (action) {
            case Action.Apply apply -> applyUnlessDone(apply.object(), writer, versions);
            case Action.Create create -> create(create.object(), writer);
            case Action.WriteStatus status -> {
                writer.writeStatus(status.object());
                yield true;
            }
            case Action.Patch patch -> {
                boolean patched = writer.patch(patch);
                if (patched) {
                    LOG.info(
                            "gave {} {}",
                            key(patch.object()),
                            patch.images().isEmpty() ? patch.annotations() : patch.images());
                }
                yield patched;
            }
            case Action.Delete delete -> delete(delete, writer);
        };
    }

    private boolean applyUnlessDone(HasMetadata wanted, ApiWriter writer, SnapshotVersions versions) {
        String seen = versions.of(wanted);
        String revision = wanted.getMetadata().getAnnotations().get(Names.REVISION_ANNOTATION);
        if (!seen.isEmpty() && (revision + "@" + seen).equals(applied.get(key(wanted)))) {
            return false;
        }
        HasMetadata live = writer.apply(wanted);
        applied.put(key(wanted), revision + "@" + live.getMetadata().getResourceVersion());
        LOG.info("applied {}", key(wanted));
        return true;
    }

    private static boolean create(HasMetadata wanted, ApiWriter writer) {
        Optional<HasMetadata> created = writer.create(wanted);
        if (created.isPresent()) {
            LOG.info("created {}", key(wanted));
            return true;
        }
        writer.read(wanted)
                .filter(live -> !isOfSameCluster(live.getMetadata(), wanted.getMetadata()))
                .ifPresent(live -> {
                    throw new ForeignObjectException(wanted);
                });
        return false;
    }

    private boolean delete(Action.Delete delete, ApiWriter writer) {
        ObjectMeta metadata = delete.object().getMetadata();
        // A shorter time to end in is another wish.
        String wish = metadata.getUid() + " " + delete.graceSeconds();
        Instant before = deleted.get(wish);
        Instant now = clock.instant();
        if (before != null && now.isBefore(before.plus(DELETE_REPEATED_AFTER))) {
            return false;
        }
        writer.delete(delete.object(), delete.graceSeconds());
        deleted.put(wish, now);
        LOG.info("deleted {} uid {}", key(delete.object()), metadata.getUid());
        return true;
    }

    private static boolean isOfSameCluster(ObjectMeta live, ObjectMeta wanted) {
        return live.getLabels() != null
                && Objects.equals(
                        live.getLabels().get(Labels.CLUSTER), wanted.getLabels().get(Labels.CLUSTER));
    }

    private static String key(HasMetadata object) {
        return object.getKind() + " " + object.getMetadata().getNamespace() + "/"
                + object.getMetadata().getName();
    }
}
