/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.Labels;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.CertificateSummary;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.ComputeClusterStatus;
import dev.ratchet.crds.cluster.CoordinatorSummary;
import dev.ratchet.crds.cluster.EndpointsSummary;
import dev.ratchet.crds.cluster.LayoutSummary;
import dev.ratchet.crds.cluster.StoreSummary;
import dev.ratchet.crds.cluster.StoreType;
import dev.ratchet.crds.cluster.VersionCount;
import dev.ratchet.operator.certificates.LeafRotation;
import dev.ratchet.operator.model.Addresses;
import dev.ratchet.operator.model.CertificateSecrets;
import dev.ratchet.operator.model.Ports;
import dev.ratchet.operator.observe.CoordinatorReport;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.observe.WorkerReport;
import dev.ratchet.operator.plan.Acceptance;
import dev.ratchet.operator.plan.FormatFinalizer;
import dev.ratchet.operator.plan.LayoutDecision;
import dev.ratchet.operator.plan.Obstacle;
import dev.ratchet.operator.plan.ReconcilePlan;
import dev.ratchet.operator.plan.StoreGuard;
import dev.ratchet.operator.status.Conditions;
import dev.ratchet.operator.status.Reason;
import dev.ratchet.operator.status.SlotSummaries;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Owns the status of a ComputeCluster: an observation that can be made again from nothing, never a memory. */
public final class ClusterStatuses {
    private ClusterStatuses() {}

    /** The status that goes with {@code snapshot} after {@code plan} was carried out. */
    public static ComputeClusterStatus of(Snapshot snapshot, ReconcilePlan plan) {
        ComputeCluster cluster = snapshot.cluster();
        ComputeClusterStatus before = before(cluster);
        ComputeClusterStatus status = new ComputeClusterStatus();
        status.observedGeneration = generation(cluster);
        status.acceptedGeneration = plan.acceptance().generation();
        status.acceptedRevision = plan.acceptance().revision();
        status.replicas = snapshot.workers().size();
        status.readyReplicas = ready(snapshot);
        status.currentRevision = plan.layout().upgrade().current();
        status.updateRevision = plan.layout().upgrade().update();
        status.updatedReplicas = updated(snapshot, status.updateRevision);
        status.selector = Labels.workerSelector(snapshot.name());
        // What is in force in a store that is not the cluster's says nothing about the cluster.
        status.layout = plan.blocked().filter(Obstacle::stopsEverything).isPresent()
                ? before.layout
                : layout(snapshot, plan.layout());
        status.coordinator =
                snapshot.clusterReport().map(ClusterStatuses::coordinator).orElse(null);
        status.versions = versions(snapshot);
        status.slots = snapshot.clusterReport()
                .map(clusterReport -> SlotSummaries.of(clusterReport.workers().values().stream()
                        .filter(report -> snapshot.workers().containsKey(report.seat()))
                        .toList()))
                .orElse(before.slots);
        status.store = store(snapshot, plan.acceptance(), before);
        status.certificates = certificates(snapshot);
        status.endpoints = plan.target().isPresent() ? endpoints(snapshot, plan) : null;
        Conditions conditions = new Conditions(before.conditions, status.observedGeneration, snapshot.now());
        ClusterConditions.put(conditions, snapshot, plan);
        ClusterConditions.putSessionsBlocked(conditions, SlotSummaries.missing(status.slots));
        CircuitStatuses.put(conditions, snapshot, plan);
        status.circuit = CircuitStatuses.summary(snapshot, plan, before);
        status.checkpoint = CircuitStatuses.checkpoint(snapshot, plan, before);
        status.conditions = new ArrayList<>(conditions.list());
        return status;
    }

    /** The status as it is, but degraded for {@code reason}: all that can be said when nothing could be done. */
    public static ComputeClusterStatus degraded(ComputeCluster cluster, Reason reason, String message, Instant now) {
        ComputeClusterStatus status = copy(before(cluster));
        status.observedGeneration = generation(cluster);
        status.conditions = new ArrayList<>(new Conditions(status.conditions, status.observedGeneration, now)
                .put(ConditionType.DEGRADED, true, reason, message)
                .keepOthers()
                .list());
        return status;
    }

    /** The status of a cluster that is being deleted. */
    public static ComputeClusterStatus deleting(Snapshot snapshot, String waitsFor, boolean blocked) {
        ComputeCluster cluster = snapshot.cluster();
        ComputeClusterStatus status = copy(before(cluster));
        status.observedGeneration = generation(cluster);
        status.replicas = snapshot.workers().size();
        status.readyReplicas = ready(snapshot);
        Conditions conditions = new Conditions(status.conditions, status.observedGeneration, snapshot.now())
                .put(ConditionType.READY, false, Reason.DELETING, "waiting for " + waitsFor);
        if (blocked) {
            conditions.put(
                    ConditionType.CLEANUP_BLOCKED,
                    true,
                    Reason.CLEANUP_BLOCKED,
                    "still waiting for " + waitsFor + "; set the annotation " + Names.ABANDON_ANNOTATION
                            + ": \"true\" to give up what is left and let the cluster go");
        }
        status.conditions = new ArrayList<>(conditions.keepOthers().list());
        return status;
    }

    private static ComputeClusterStatus copy(ComputeClusterStatus status) {
        return new ObjectMapper().convertValue(status, ComputeClusterStatus.class);
    }

    private static int ready(Snapshot snapshot) {
        return (int) snapshot.workers().keySet().stream()
                .map(seat -> snapshot.pods().get(seat))
                .filter(pod -> pod != null && PodFacts.isReady(pod))
                .count();
    }

    /** Workers whose pod is of the revision that the spec asks for. */
    static int updated(Snapshot snapshot, String revision) {
        return (int) snapshot.workers().keySet().stream()
                .map(seat -> snapshot.pods().get(seat))
                .filter(pod -> pod != null && PodFacts.revision(pod).equals(revision))
                .count();
    }

    /** The status as it is now; an empty one for a cluster without. */
    public static ComputeClusterStatus before(ComputeCluster cluster) {
        return cluster.getStatus() == null ? new ComputeClusterStatus() : cluster.getStatus();
    }

    public static long generation(ComputeCluster cluster) {
        Long generation = cluster.getMetadata().getGeneration();
        return generation == null ? 0 : generation;
    }

    private static LayoutSummary layout(Snapshot snapshot, LayoutDecision layout) {
        LayoutSummary summary = new LayoutSummary();
        summary.epoch = layout.epoch();
        summary.name = layout.epoch() == 0 ? "" : Names.layout(snapshot.name(), layout.epoch());
        snapshot.layouts().stream()
                .filter(resource -> resource.getMetadata().getName().equals(summary.name))
                .flatMap(resource -> Optional.ofNullable(resource.getStatus()).stream())
                .flatMap(status -> Optional.ofNullable(status.bytes).stream())
                .forEach(bytes -> {
                    summary.bytesMoved = bytes.moved;
                    summary.bytesLowerBound = bytes.lowerBound;
                });
        summary.proposed = layout.create()
                .map(LayoutDecision.Proposal::epoch)
                .or(() -> layout.proposal().map(name -> Long.parseLong(name.substring(name.lastIndexOf("-l") + 2))))
                .orElse(null);
        return summary;
    }

    private static CoordinatorSummary coordinator(CoordinatorReport clusterReport) {
        CoordinatorSummary summary = new CoordinatorSummary();
        summary.seat = clusterReport.coordinatorSeat();
        summary.term = clusterReport.term();
        return summary;
    }

    private static List<VersionCount> versions(Snapshot snapshot) {
        Map<String, Long> counts = snapshot.clusterReport().stream()
                .flatMap(clusterReport -> clusterReport.workers().values().stream())
                .filter(report -> snapshot.workers().containsKey(report.seat()))
                .map(WorkerReport::version)
                .filter(version -> !version.isEmpty())
                .collect(Collectors.groupingBy(version -> version, TreeMap::new, Collectors.counting()));
        List<VersionCount> versions = new ArrayList<>();
        counts.forEach((version, count) -> {
            VersionCount entry = new VersionCount();
            entry.version = version;
            entry.workers = count.intValue();
            versions.add(entry);
        });
        return versions;
    }

    private static StoreSummary store(Snapshot snapshot, Acceptance acceptance, ComputeClusterStatus before) {
        StoreSummary summary = new StoreSummary();
        summary.type = acceptance
                .spec()
                .map(spec -> spec.store.type)
                .orElse(snapshot.cluster().getSpec().store.type);
        String recorded = before.store == null ? "" : before.store.id;
        ComputeClusterSpec spec =
                acceptance.spec().orElseGet(() -> snapshot.cluster().getSpec());
        boolean strange = StoreGuard.stranger(snapshot, spec).isPresent();
        summary.id = snapshot.clusterReport()
                .map(CoordinatorReport::storeId)
                .filter(found -> !strange && !found.isEmpty())
                .orElse(recorded);
        Pod pod = snapshot.pods().get(Names.storePod(snapshot.name()));
        boolean down = summary.type == StoreType.EMBEDDED && (pod == null || !PodFacts.isReady(pod));
        int level = FormatFinalizer.level(snapshot);
        summary.formatLevel = level == 0 ? null : level;
        summary.formatCommon = snapshot.clusterReport()
                .map(CoordinatorReport::formatCommon)
                .filter(common -> common > 0)
                .orElse(null);
        summary.reachable = down ? "False" : snapshot.clusterReport().isPresent() ? "True" : "Unknown";
        return summary;
    }

    private static @Nullable CertificateSummary certificates(Snapshot snapshot) {
        Optional<Instant> first = snapshot.secrets().values().stream()
                .map(CertificateSecrets::data)
                .map(LeafRotation::notAfter)
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
        return first.map(time -> {
                    CertificateSummary summary = new CertificateSummary();
                    summary.notAfter = Conditions.time(time);
                    return summary;
                })
                .orElse(null);
    }

    private static EndpointsSummary endpoints(Snapshot snapshot, ReconcilePlan plan) {
        EndpointsSummary endpoints = new EndpointsSummary();
        endpoints.client = endpoint(snapshot, Names.clientService(snapshot.name()), Ports.WORKER);
        if (plan.target().filter(target -> target.spec().circuit != null).isPresent()) {
            endpoints.circuit = endpoint(snapshot, Names.circuitService(snapshot.name()), Ports.CIRCUIT);
        }
        return endpoints;
    }

    private static String endpoint(Snapshot snapshot, String service, int port) {
        return Addresses.of(service + "." + snapshot.namespace() + ".svc", port);
    }
}
