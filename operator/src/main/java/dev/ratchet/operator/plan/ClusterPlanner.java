/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.ComputeLayout;
import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.UpgradeStrategy;
import dev.ratchet.crds.layout.UpgradeDirection;
import dev.ratchet.operator.certificates.AuthorityRotation;
import dev.ratchet.operator.certificates.LeafRotation;
import dev.ratchet.operator.model.Budgets;
import dev.ratchet.operator.model.LayoutResources;
import dev.ratchet.operator.model.NetworkPolicies;
import dev.ratchet.operator.model.Services;
import dev.ratchet.operator.model.Settings;
import dev.ratchet.operator.model.SpecRevisions;
import dev.ratchet.operator.model.Target;
import dev.ratchet.operator.model.WorkerRevisions;
import dev.ratchet.operator.observe.Commands;
import dev.ratchet.operator.observe.Commands.Commit;
import dev.ratchet.operator.observe.Commands.Raise;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.status.Reason;
import dev.ratchet.operator.status.Removal;
import dev.ratchet.operator.status.WorkerStatuses;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Owns the decision for a cluster that is to exist: from a snapshot to a plan, without a clock, a client or a memory.
 * Planning again after the plan was carried out gives an empty plan; planning from half of it gives the other half.
 */
public final class ClusterPlanner {
    private final Settings settings;
    private final AuthorityRotation authorities;
    private final LeafRotation leaves;

    public ClusterPlanner(Settings settings, AuthorityRotation authorities, LeafRotation leaves) {
        this.settings = settings;
        this.authorities = authorities;
        this.leaves = leaves;
    }

    /** What to do now. */
    public ReconcilePlan plan(Snapshot snapshot) {
        Acceptance acceptance = AcceptanceJudge.judge(snapshot, settings);
        PlanBuilder plan = new PlanBuilder();
        if (acceptance.spec().isEmpty()) {
            return plan.build(acceptance, Optional.empty(), Commands.NONE, LayoutDecision.NONE);
        }
        ComputeClusterSpec spec = acceptance.spec().get();
        Target target = Target.of(snapshot.cluster(), spec, settings);
        if (snapshot.surroundings().namespaceEnds()) {
            plan.blocked(Reason.NAMESPACE_TERMINATING, Reason.NAMESPACE_TERMINATING.text());
            return plan.build(acceptance, Optional.of(target), Commands.NONE, LayoutDecision.NONE);
        }
        if (!snapshot.remains().isEmpty()) {
            plan.blocked(Reason.FORMER_CLUSTER_REMAINS, Remains.explain(snapshot.remains()));
            return plan.build(acceptance, Optional.of(target), Commands.NONE, LayoutDecision.NONE);
        }
        Optional<String> stranger = StoreGuard.stranger(snapshot, spec);
        if (stranger.isPresent()) {
            plan.blocked(Reason.WRONG_STORE, StoreGuard.explain(snapshot, stranger.get()));
            return plan.build(acceptance, Optional.of(target), Commands.NONE, LayoutDecision.NONE);
        }
        WorkerRevisions revisions = revisions(snapshot, acceptance, target);
        Optional<Obstacle> awaited = new StoreImage(snapshot, target).awaited();
        LayoutDecision decided =
                new LayoutPlanner(snapshot, revisions).decide(spec.workers.replicas, spec.upgrade, awaited);
        FormatFinalizer formats = new FormatFinalizer(snapshot, spec.upgrade, decided, awaited.isEmpty());
        LayoutDecision layout = formats.explained();
        statuses(snapshot, layout, plan);
        if (snapshot.cluster().getSpec().paused) {
            return plan.build(acceptance, Optional.of(target), Commands.NONE, layout);
        }
        return plan(snapshot, acceptance, target, layout, formats.raise(), revisions, plan);
    }

    /** What to do to empty the cluster of workers before it is deleted: the same as scaling to 0. */
    ReconcilePlan planEmpty(Snapshot snapshot, Acceptance acceptance, Target target) {
        PlanBuilder plan = new PlanBuilder();
        WorkerRevisions revisions = revisions(snapshot, acceptance, target);
        LayoutDecision layout =
                new LayoutPlanner(snapshot, revisions).decide(0, target.spec().upgrade, Optional.empty());
        statuses(snapshot, layout, plan);
        return plan(snapshot, acceptance, target, layout, Optional.empty(), revisions, plan);
    }

    Acceptance judge(Snapshot snapshot) {
        return AcceptanceJudge.judge(snapshot, settings);
    }

    Settings settings() {
        return settings;
    }

    private static WorkerRevisions revisions(Snapshot snapshot, Acceptance acceptance, Target target) {
        return WorkerRevisions.of(
                snapshot.revisions(), target, acceptance.generation(), LayoutFacts.newestRevision(snapshot.layouts()));
    }

    private ReconcilePlan plan(
            Snapshot snapshot,
            Acceptance acceptance,
            Target target,
            LayoutDecision layout,
            Optional<Raise> raise,
            WorkerRevisions revisions,
            PlanBuilder plan) {
        record(snapshot, acceptance, target, plan);
        RevisionKeeper.plan(snapshot, layout, revisions, plan);
        CertificatePlanner certificates = new CertificatePlanner(snapshot, target, authorities, leaves, plan);
        certificates.authority();
        reachable(snapshot, target, layout, plan);
        CircuitPlanner circuit = new CircuitPlanner(snapshot, target, layout, plan);
        circuit.reachable();
        certificates.clients();
        new StorePlanner(snapshot, target, certificates, circuit, plan).plan();
        propose(target, layout, plan);
        Parking parking = new Parking(snapshot, layout, revisions, target.spec().workers.drainTimeoutMillis);
        new SeatPlanner(snapshot, target, layout, revisions, parking, certificates, plan).plan();
        certificates.finish();
        MountedVersions.plan(snapshot, plan);
        history(snapshot, target, layout, plan);
        layout.lookAt().ifPresent(plan::wakeAt);
        snapshot.surroundings()
                .silenceTold()
                .filter(at -> at.isAfter(snapshot.now()))
                .ifPresent(plan::wakeAt);
        return plan.build(acceptance, Optional.of(target), commands(snapshot, target, layout, parking, raise), layout);
    }

    private static void statuses(Snapshot snapshot, LayoutDecision layout, PlanBuilder plan) {
        RemovalProof proof = new RemovalProof(snapshot, layout);
        for (ComputeWorker worker : snapshot.workers().values()) {
            boolean leaves = worker.getSpec().retire
                    && !layout.wanted().contains(worker.getMetadata().getName());
            Optional<Removal> proved = leaves ? proof.of(worker) : Optional.empty();
            WorkerStatuses.changed(worker, snapshot, proved).ifPresent(plan::writeStatus);
        }
        for (ComputeLayout resource : snapshot.layouts()) {
            LayoutStatuses.changed(resource, snapshot, layout).ifPresent(plan::writeStatus);
        }
    }

    private static void record(Snapshot snapshot, Acceptance acceptance, Target target, PlanBuilder plan) {
        ControllerRevision wanted = SpecRevisions.of(target, target.spec(), acceptance.generation());
        wanted.getMetadata().setName(acceptance.revision());
        ControllerRevision live = snapshot.revisions().stream()
                .filter(revision -> revision.getMetadata().getName().equals(acceptance.revision()))
                .findFirst()
                .orElse(null);
        plan.apply(live, wanted);
        SpecRevisions.superfluous(snapshot.revisions()).forEach(plan::delete);
    }

    private void reachable(Snapshot snapshot, Target target, LayoutDecision layout, PlanBuilder plan) {
        String client = Names.clientService(target.name());
        plan.apply(snapshot.services().get(client), Services.client(target));
        plan.apply(
                snapshot.policies().get(Names.disruptionBudget(target.name())),
                Budgets.of(target, protectedWorkers(snapshot, layout)));
        if (settings.networkPolicies()) {
            plan.apply(snapshot.policies().get(Names.networkPolicy(target.name())), NetworkPolicies.of(target));
        }
    }

    /** Who works, or has not given back yet what it holds: one of all these may be missing at a time. */
    private static int protectedWorkers(Snapshot snapshot, LayoutDecision layout) {
        if (!layout.upgrade().isUnderWay()) {
            return layout.wanted().size();
        }
        long leaving = snapshot.workers().values().stream()
                .filter(worker ->
                        !layout.inForce().contains(worker.getMetadata().getName()))
                .filter(worker -> !layout.wanted().contains(worker.getMetadata().getName()))
                .filter(worker -> Removal.recorded(worker).isEmpty())
                .count();
        return layout.inForce().size() + (int) leaving;
    }

    private static void propose(Target target, LayoutDecision layout, PlanBuilder plan) {
        layout.create()
                .ifPresent(proposal -> plan.create(LayoutResources.of(
                        target,
                        proposal.epoch(),
                        proposal.fromEpoch(),
                        proposal.reason(),
                        proposal.members(),
                        proposal.progress())));
    }

    /** Finished layouts beyond the limit, oldest first; never the one in force. */
    private static void history(Snapshot snapshot, Target target, LayoutDecision layout, PlanBuilder plan) {
        List<LayoutFacts> finished = LayoutFacts.of(snapshot.layouts()).stream()
                .filter(LayoutFacts::isFinished)
                .filter(facts -> facts.epoch() != layout.epoch())
                .sorted(Comparator.comparing(LayoutFacts::epoch).reversed())
                .toList();
        finished.stream()
                .skip(target.spec().layout.historyLimit)
                .map(LayoutFacts::resource)
                .forEach(plan::delete);
    }

    /** A step of an upgrade relies on the workers that come with it: those before them leave. */
    private static boolean mayCommit(Snapshot snapshot, LayoutDecision layout, LayoutFacts proposal) {
        boolean proved = proposal.members().entrySet().stream()
                .filter(member -> !layout.inForce().contains(member.getKey())
                        || layout.changing().contains(member.getKey()))
                .allMatch(member -> UpgradeGate.isProved(snapshot, member.getKey(), member.getValue()));
        return snapshot.pods().keySet().containsAll(proposal.seats()) && (proposal.upgrade() == null || proved);
    }

    /**
     * A layout is put into force once every seat of it has a pod. It need not run: without a circuit nothing moves at
     * the commit, and a pod that can not be scheduled must not keep the others from working. Nothing is wished before
     * the coordinator was heard: wishes replace those before them, and which seats are to park is known only then.
     */
    private static Commands commands(
            Snapshot snapshot, Target target, LayoutDecision layout, Parking parking, Optional<Raise> raise) {
        if (snapshot.clusterReport().isEmpty()) {
            return Commands.NONE;
        }
        Optional<Commit> commit = layout.proposal().flatMap(name -> LayoutFacts.of(snapshot.layouts()).stream()
                .filter(facts -> facts.resource().getMetadata().getName().equals(name))
                .filter(facts -> mayCommit(snapshot, layout, facts))
                .map(facts -> new Commit(facts.fromEpoch(), facts.epoch(), facts.digest(), facts.seats()))
                .findFirst());
        Set<String> draining = snapshot.workers().values().stream()
                .filter(worker -> Boolean.TRUE.equals(worker.getSpec().drain))
                .map(worker -> worker.getMetadata().getName())
                .collect(Collectors.toSet());
        return new Commands(
                commit,
                raise,
                draining,
                outgoing(snapshot, target, layout),
                parking.wanted(),
                target.spec().workers.drainTimeoutMillis);
    }

    /** Seats in force of the revision that the upgrade under way leaves, where it replaces seats. */
    private static Set<String> outgoing(Snapshot snapshot, Target target, LayoutDecision layout) {
        if (target.spec().upgrade.strategy == UpgradeStrategy.IN_PLACE) {
            return Set.of();
        }
        return layout.upgrade()
                .progress()
                .map(progress -> progress.direction == UpgradeDirection.FORWARD ? progress.to : progress.from)
                .map(goal -> snapshot.workers().values().stream()
                        .filter(worker -> !worker.getSpec().revision.equals(goal))
                        .map(worker -> worker.getMetadata().getName())
                        .filter(layout.inForce()::contains)
                        .collect(Collectors.toSet()))
                .orElse(Set.of());
    }
}
