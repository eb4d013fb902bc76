/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.ComputeLayout;
import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.operator.apply.ApiWriter;
import dev.ratchet.operator.plan.Action;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Objects by kind and name, with the bookkeeping that planners rely on: UIDs, versions, generations, graceful deletion
 * of pods. Readers share what is stored, as they do with an informer, and must not change it.
 */
public final class FakeApi implements ApiWriter {
    private static final KubernetesSerialization JSON = new KubernetesSerialization();

    private final Map<String, HasMetadata> objects = new TreeMap<>();
    /** What was stored under each key, as text. */
    private final Map<String, String> stored = new TreeMap<>();

    private final List<String> writes = new ArrayList<>();
    /** What an admission check refuses, and in which words. */
    private Predicate<HasMetadata> refused = object -> false;

    private boolean namespaceEnds;
    private long counter;
    private int addresses;
    Instant now = Instant.parse("2026-01-01T00:00:00Z");

    /** All objects of a kind, by name. */
    public <T extends HasMetadata> Map<String, T> all(Class<T> kind) {
        Map<String, T> found = new TreeMap<>();
        for (HasMetadata object : objects.values()) {
            if (kind.isInstance(object)) {
                found.put(object.getMetadata().getName(), kind.cast(object));
            }
        }
        return found;
    }

    /** What was written since the last call. */
    public List<String> takeWrites() {
        List<String> taken = List.copyOf(writes);
        writes.clear();
        return taken;
    }

    /** From now on a quota refuses such objects. */
    public void refuse(Predicate<HasMetadata> which) {
        refused = which;
    }

    /** The namespace is being deleted, with all that is in it. */
    void endNamespace() {
        namespaceEnds = true;
        List.copyOf(objects.values()).forEach(object -> end(object, OptionalLong.empty()));
    }

    private void admit(HasMetadata object) {
        boolean isNew = !objects.containsKey(key(object));
        if (isNew && namespaceEnds) {
            throw forbidden(object, "because it is being terminated", "NamespaceTerminating");
        }
        if (isNew && refused.test(object)) {
            throw forbidden(object, "exceeded quota: small", "QuotaExceeded");
        }
    }

    private static KubernetesClientException forbidden(HasMetadata object, String why, String cause) {
        return new KubernetesClientException(
                "Failure executing: POST",
                HttpURLConnection.HTTP_FORBIDDEN,
                new StatusBuilder()
                        .withCode(HttpURLConnection.HTTP_FORBIDDEN)
                        .withMessage(key(object) + " is forbidden: " + why)
                        .withNewDetails()
                        .addNewCause(null, why, cause)
                        .endDetails()
                        .build());
    }

    /** Puts an object there as its owner would, not the operator. */
    public void put(HasMetadata object) {
        store(stamped(object, objects.get(key(object))));
    }

    /** As {@link #put}, for a status: the generation stays. */
    public void putStatus(HasMetadata object) {
        HasMetadata next = JSON.clone(object);
        next.getMetadata().setResourceVersion(Long.toString(++counter));
        store(next);
    }

    private void store(HasMetadata object) {
        objects.put(key(object), object);
        stored.put(key(object), JSON.asJson(object));
    }

    public void remove(HasMetadata object) {
        objects.remove(key(object));
        stored.remove(key(object));
    }

    /** That nobody has changed but by writing. */
    void checkReadersOnlyRead() {
        objects.forEach((key, object) -> assertThat(JSON.asJson(object))
                .as("%s, which readers share", key)
                .isEqualTo(stored.get(key)));
    }

    /** Deletes one object whose owner is gone; tells whether there was one. */
    boolean collect(String livingUid) {
        Optional<HasMetadata> garbage = objects.values().stream()
                .filter(object -> object.getMetadata().getDeletionTimestamp() == null)
                .filter(object ->
                        owner(object).filter(uid -> !uid.equals(livingUid)).isPresent())
                .findFirst();
        garbage.ifPresent(object -> end(object, OptionalLong.empty()));
        return garbage.isPresent();
    }

    private static Optional<String> owner(HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream()
                .map(OwnerReference::getUid)
                .findFirst();
    }

    @Override
    public HasMetadata apply(HasMetadata wanted) {
        writes.add("apply " + key(wanted));
        admit(wanted);
        HasMetadata live = objects.get(key(wanted));
        if (live != null && owner(live).isPresent() && !owner(live).equals(owner(wanted))) {
            throw new AssertionError(key(wanted) + " belongs to another cluster, and an object has one controller");
        }
        HasMetadata next = stamped(wanted, live);
        if (next instanceof ComputeWorker worker && live instanceof ComputeWorker before) {
            worker.getSpec().drain = before.getSpec().drain;
            worker.setStatus(before.getStatus());
        }
        if (next instanceof Service service) {
            service.getSpec()
                    .setClusterIP(
                            live instanceof Service before
                                    ? before.getSpec().getClusterIP()
                                    : "10.96.0." + ++addresses);
        }
        store(next);
        return JSON.clone(next);
    }

    @Override
    public Optional<HasMetadata> create(HasMetadata wanted) {
        writes.add("create " + key(wanted));
        admit(wanted);
        if (objects.containsKey(key(wanted))) {
            return Optional.empty();
        }
        store(stamped(wanted, null));
        return Optional.of(JSON.clone(objects.get(key(wanted))));
    }

    @Override
    public void writeStatus(HasMetadata object) {
        writes.add("status " + key(object));
        HasMetadata live = objects.get(key(object));
        if (live == null
                || !live.getMetadata()
                        .getResourceVersion()
                        .equals(object.getMetadata().getResourceVersion())) {
            return;
        }
        HasMetadata next = JSON.clone(live);
        if (next instanceof ComputeWorker worker && object instanceof ComputeWorker with) {
            worker.setStatus(with.getStatus());
        } else if (next instanceof ComputeLayout layout && object instanceof ComputeLayout with) {
            layout.setStatus(with.getStatus());
        }
        next.getMetadata().setResourceVersion(Long.toString(++counter));
        store(next);
    }

    @Override
    public void writePrimaryStatus(ComputeCluster cluster) {
        writes.add("status " + key(cluster));
    }

    @Override
    public boolean patch(Action.Patch patch) {
        writes.add("patch " + key(patch.object()));
        if (!(objects.get(key(patch.object())) instanceof Pod live)
                || !live.getMetadata()
                        .getResourceVersion()
                        .equals(patch.object().getMetadata().getResourceVersion())) {
            return false;
        }
        put(new PodBuilder(live)
                .editMetadata()
                .addToAnnotations(patch.annotations())
                .endMetadata()
                .editSpec()
                .withContainers(live.getSpec().getContainers().stream()
                        .map(container -> new ContainerBuilder(container)
                                .withImage(patch.images().getOrDefault(container.getName(), container.getImage()))
                                .build())
                        .toList())
                .endSpec()
                .build());
        return true;
    }

    @Override
    public void delete(HasMetadata live, OptionalLong graceSeconds) {
        writes.add("delete " + key(live));
        HasMetadata found = objects.get(key(live));
        if (found == null
                || !found.getMetadata().getUid().equals(live.getMetadata().getUid())) {
            return;
        }
        end(found, graceSeconds);
    }

    private void end(HasMetadata found, OptionalLong graceSeconds) {
        if (found instanceof Pod pod && !graceSeconds.equals(OptionalLong.of(0))) {
            long seconds = graceSeconds.orElse(Optional.ofNullable(pod.getSpec().getTerminationGracePeriodSeconds())
                    .orElse(30L));
            Long before = pod.getMetadata().getDeletionGracePeriodSeconds();
            if (before != null && before <= seconds) {
                return;
            }
            put(new PodBuilder(pod)
                    .editMetadata()
                    .withDeletionTimestamp(now.plusSeconds(seconds).toString())
                    .withDeletionGracePeriodSeconds(seconds)
                    .endMetadata()
                    .build());
        } else {
            remove(found);
        }
    }

    @Override
    public boolean namespaceEnds(String namespace) {
        return namespaceEnds;
    }

    @Override
    public Optional<HasMetadata> read(HasMetadata like) {
        return Optional.ofNullable(objects.get(key(like)));
    }

    private HasMetadata stamped(HasMetadata object, HasMetadata live) {
        HasMetadata next = JSON.clone(object);
        next.getMetadata().setResourceVersion(Long.toString(++counter));
        if (live == null) {
            next.getMetadata().setUid("uid-" + counter);
            next.getMetadata().setCreationTimestamp(now.toString());
            next.getMetadata().setGeneration(1L);
        } else {
            next.getMetadata().setUid(live.getMetadata().getUid());
            next.getMetadata().setGeneration(live.getMetadata().getGeneration() + 1);
        }
        return next;
    }

    private static String key(HasMetadata object) {
        return object.getKind() + " " + object.getMetadata().getName();
    }
}
