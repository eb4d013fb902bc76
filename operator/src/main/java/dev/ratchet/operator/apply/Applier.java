/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.apply;

import dev.ratchet.crds.Labels;
import dev.ratchet.crds.Names;
import dev.ratchet.operator.plan.Action;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the carrying out of plans: in order, stopping at the first failure, because what follows relies on what went
 * before. It remembers what it wrote a moment ago, so that a cache that lags behind, or an API server that stores
 * something else than what was sent, leads neither to a second write nor to an endless loop. Thread-safe.
 */
public final class Applier {
    private static final Logger LOG = LoggerFactory.getLogger(Applier.class);
    private static final int REMEMBERED_MAX = 50_000;

    /** After that a delete that had no effect is repeated. */
    private static final Duration DELETE_REPEATED_AFTER = Duration.ofSeconds(30);

    private final InstantSource clock;
    private final Map<String, String> applied = lru();
    private final Map<String, Instant> deleted = lru();

    public Applier(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Carries out {@code actions}.
     *
     * @return how many writes were made
     */
    public int apply(List<Action> actions, ApiWriter writer, SnapshotVersions versions) {
        int writes = 0;
        for (Action action : actions) {
            if (apply(action, writer, versions)) {
                writes++;
            }
        }
        return writes;
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
        Instant before = deleted.get(metadata.getUid());
        Instant now = clock.instant();
        if (before != null && now.isBefore(before.plus(DELETE_REPEATED_AFTER))) {
            return false;
        }
        writer.delete(delete.object(), delete.graceSeconds());
        deleted.put(metadata.getUid(), now);
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

    private static <V> Map<String, V> lru() {
        return Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > REMEMBERED_MAX;
            }
        });
    }
}
