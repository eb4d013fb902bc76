/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.ComputeLayout;
import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.operator.model.Addresses;
import dev.ratchet.operator.model.Certificate;
import dev.ratchet.operator.model.Ports;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Owns everything one decision is made from: the cluster, its objects by name, and the coordinator's word if there is a
 * live one. Nothing here changes; whoever decides reads nothing else. A missing report means "unknown".
 *
 * @param clusterReport the newest report of a stream that is alive; empty means nobody can say what the workers hold
 * @param userAuthority Secret of an authority that the user brought, where the spec names one and it exists
 * @param program ConfigMap of the circuit's program, where the spec names one and it exists
 * @param certificates what was asked of cert-manager
 * @param retryPods pods that ended by themselves, and when they may be replaced
 * @param surroundings what is known of namespace and nodes
 * @param remains kind and name of what a former cluster of the same name has left, such as {@code Secret orders-ca}
 */
public record Snapshot(
        ComputeCluster cluster,
        Instant now,
        Optional<CoordinatorReport> clusterReport,
        List<ControllerRevision> revisions,
        Map<String, ComputeWorker> workers,
        List<ComputeLayout> layouts,
        Map<String, Pod> pods,
        Map<String, PersistentVolumeClaim> claims,
        Map<String, Secret> secrets,
        Map<String, Service> services,
        Map<String, ConfigMap> configs,
        Map<String, HasMetadata> policies,
        Optional<Secret> userAuthority,
        Optional<ConfigMap> program,
        RequestedCertificates certificates,
        Map<String, Instant> retryPods,
        Surroundings surroundings,
        List<String> remains) {
    /** This snapshot without the objects of a former cluster of the same name, which are named in {@link #remains}. */
    public Snapshot withoutFormer() {
        String uid = cluster.getMetadata().getUid();
        List<String> found = objects()
                .filter(object -> Ownership.isOfAnother(object, uid))
                .map(Snapshot::title)
                .sorted()
                .toList();
        return found.isEmpty()
                ? this
                : new Snapshot(
                        cluster,
                        now,
                        Optional.empty(),
                        own(revisions, uid),
                        own(workers, uid),
                        own(layouts, uid),
                        own(pods, uid),
                        claims,
                        own(secrets, uid),
                        own(services, uid),
                        own(configs, uid),
                        own(policies, uid),
                        userAuthority,
                        program,
                        new RequestedCertificates(certificates.obstacle(), own(certificates.byName(), uid)),
                        retryPods,
                        surroundings,
                        found);
    }

    /** What is owned by the cluster, and goes with it. */
    public List<HasMetadata> owned() {
        String uid = cluster.getMetadata().getUid();
        return objects().filter(object -> Ownership.isOf(object, uid)).toList();
    }

    /** Kind and name of an object. */
    public static String title(HasMetadata object) {
        return object.getKind() + " " + object.getMetadata().getName();
    }

    private Stream<HasMetadata> objects() {
        return Stream.of(
                        revisions,
                        workers.values(),
                        layouts,
                        pods.values(),
                        secrets.values(),
                        services.values(),
                        configs.values(),
                        policies.values(),
                        certificates.byName().values())
                .flatMap(Collection::stream);
    }

    private static <T extends HasMetadata> List<T> own(List<T> objects, String uid) {
        return objects.stream()
                .filter(object -> !Ownership.isOfAnother(object, uid))
                .toList();
    }

    private static <T extends HasMetadata> Map<String, T> own(Map<String, T> objects, String uid) {
        Map<String, T> kept = new TreeMap<>(objects);
        kept.values().removeIf(object -> Ownership.isOfAnother(object, uid));
        return kept;
    }

    public String name() {
        return cluster.getMetadata().getName();
    }

    public String namespace() {
        return cluster.getMetadata().getNamespace();
    }

    /** Where the workers of the cluster answer; those that are ready first, because they surely do. */
    public List<Endpoint> endpoints() {
        return workers.keySet().stream()
                .map(pods::get)
                .filter(pod -> pod != null && !PodFacts.isFinished(pod))
                .sorted(Comparator.comparing(pod -> !PodFacts.isReady(pod)))
                .flatMap(pod -> PodFacts.address(pod)
                        .map(address -> new Endpoint(pod.getMetadata().getName(), Addresses.of(address, Ports.WORKER)))
                        .stream())
                .toList();
    }

    /** The resourceVersion of the object like {@code like}; "" if it is not here. */
    public String version(HasMetadata like) {
        String name = like.getMetadata().getName();
        HasMetadata found =
                switch (like) {
                    case ComputeWorker worker -> workers.get(name);
                    case Service service -> services.get(name);
                    case ConfigMap config -> configs.get(name);
                    case Certificate certificate -> certificates.byName().get(name);
                    case Secret secret -> secrets.get(name);
                    case ControllerRevision revision ->
                        revisions.stream()
                                .filter(known -> known.getMetadata().getName().equals(name))
                                .findFirst()
                                .orElse(null);
                    default -> policies.get(name);
                };
        return found == null ? "" : found.getMetadata().getResourceVersion();
    }

    /** The address of a service of ours, once it has one. */
    public Optional<String> serviceAddress(String service) {
        return Optional.ofNullable(services.get(service))
                .map(found -> found.getSpec().getClusterIP())
                .filter(address -> !address.isEmpty() && !address.equals("None"));
    }
}
