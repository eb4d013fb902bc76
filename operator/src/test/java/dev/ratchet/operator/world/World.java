/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.world;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.ComputeLayout;
import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.crds.Labels;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.ComputeClusterStatus;
import dev.ratchet.crds.cluster.StoreType;
import dev.ratchet.operator.apply.Applier;
import dev.ratchet.operator.apply.ApplyOutcome;
import dev.ratchet.operator.certificates.AuthorityRotation;
import dev.ratchet.operator.certificates.CertificateIssuer;
import dev.ratchet.operator.certificates.CertificateLives;
import dev.ratchet.operator.certificates.LeafRotation;
import dev.ratchet.operator.model.PodSettings;
import dev.ratchet.operator.model.Settings;
import dev.ratchet.operator.observe.ClusterKey;
import dev.ratchet.operator.observe.CoordinatorReport;
import dev.ratchet.operator.observe.CoordinatorSilence;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.observe.Surroundings;
import dev.ratchet.operator.plan.Action;
import dev.ratchet.operator.plan.ClusterPlanner;
import dev.ratchet.operator.plan.DeletionPlanner;
import dev.ratchet.operator.plan.ReconcilePlan;
import dev.ratchet.operator.reconcile.ClusterStatuses;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** One cluster in a Kubernetes of its own. Each method is one thing that happens there; nothing happens by itself. */
public final class World {
    public static final String CLUSTER = "orders";
    private static final CertificateLives LIVES = CertificateLives.ofDays(90);
    private static final int ROUNDS_MAX = 10;
    private static final int SETTLE_MAX = 60;
    private static final int QUIET = 4;

    /** Keys are dear, and no test of a planner is about their randomness. */
    private static final CertificateIssuer ISSUER = new CertificateIssuer(new SecureRandom());

    public final FakeApi api = new FakeApi();
    public final FakeCoordinator coordinator = new FakeCoordinator();
    public final FakeCertManager certManager = new FakeCertManager(ISSUER);
    public final ComputeCluster cluster = new ComputeCluster();
    public boolean coordinatorHeard = true;
    private CoordinatorSilence silence = new CoordinatorSilence();
    public boolean imagesPull = true;

    /** Images that no registry has. */
    public final Set<String> missingImages = new TreeSet<>();

    /** Images whose process ends soon after it has started, again and again. */
    public final Set<String> brokenImages = new TreeSet<>();

    /** How many worker pods find a node. */
    public int room = 1000;

    public Optional<Secret> userAuthority = Optional.empty();

    /** ConfigMaps of the user, by name. */
    public final Map<String, ConfigMap> programs = new TreeMap<>();

    private ClusterPlanner planner;
    private DeletionPlanner deletion;
    private Applier applier;
    private int lives = 1;
    /** What the operator was told by a refusal. */
    private boolean namespaceEnds;

    /** Nodes whose pods do not end and are not heard of. */
    public final Set<String> lostNodes = new TreeSet<>();

    /** Processes end only when their time is over. */
    public boolean processesHang;

    public World() {
        this(PodSettings.DEFAULT);
    }

    /** A world whose administrator says something of pods. */
    public World(PodSettings pods) {
        this("0.1.0", pods);
    }

    /** A world whose operator is of another release. */
    public World(String release) {
        this(release, PodSettings.DEFAULT);
    }

    private World(String release, PodSettings pods) {
        Settings settings = new Settings(release, "ratchet/worker:" + release, true, "policy/v1", pods);
        planner = planner(settings);
        deletion = new DeletionPlanner(planner);
        applier = new Applier(() -> api.now);
        cluster.setMetadata(new ObjectMetaBuilder()
                .withName(CLUSTER)
                .withNamespace("team-a")
                .withUid("cluster-uid")
                .withGeneration(1L)
                .build());
        ComputeClusterSpec spec = new ComputeClusterSpec();
        spec.version = "0.1.0";
        spec.store.type = StoreType.EMBEDDED;
        cluster.setSpec(spec);
    }

    private static ClusterPlanner planner(Settings settings) {
        return new ClusterPlanner(settings, new AuthorityRotation(ISSUER, LIVES), new LeafRotation(ISSUER, LIVES));
    }

    /** {@code helm upgrade} of the operator: another release, whose pods have other variables. */
    public void upgradeOperator(String release) {
        PodSettings pods = new PodSettings(List.of(), true, "DEBUG", "json", Set.of(), List.of());
        planner = planner(new Settings(release, "ratchet/worker:" + release, true, "policy/v1", pods));
        deletion = new DeletionPlanner(planner);
        restartOperator();
    }

    /** Somebody edits the spec. */
    public void edit(Consumer<ComputeClusterSpec> change) {
        change.accept(cluster.getSpec());
        cluster.getMetadata().setGeneration(cluster.getMetadata().getGeneration() + 1);
    }

    public void scale(int replicas) {
        edit(spec -> spec.workers.replicas = replicas);
    }

    public void pass(Duration time) {
        api.now = api.now.plus(time);
    }

    /** The operator loses its memory. */
    public void restartOperator() {
        applier = new Applier(() -> api.now);
        silence = new CoordinatorSilence();
    }

    public ReconcilePlan plan() {
        return planner.plan(snapshot());
    }

    /** The plan that is made of {@code snapshot}. */
    public ReconcilePlan plan(Snapshot snapshot) {
        return planner.plan(snapshot);
    }

    public DeletionPlanner.Step planDeletion() {
        return deletion.plan(snapshot());
    }

    /** One reconcile; returns the plan that had nothing left to do. */
    public ReconcilePlan reconcile() {
        for (int round = 0; round < ROUNDS_MAX; round++) {
            Snapshot snapshot = snapshot();
            ReconcilePlan plan = planner.plan(snapshot);
            ApplyOutcome outcome = apply(plan, snapshot);
            if (outcome.writes() == 0 && !outcome.namespaceEnds()) {
                if (coordinatorHeard && coordinator.clusterReport().isPresent()) {
                    coordinator.obey(plan.commands());
                }
                return outcome.onto(plan);
            }
        }
        throw new AssertionError("the plan never ends: " + plan().actions());
    }

    private ApplyOutcome apply(ReconcilePlan plan, Snapshot snapshot) {
        ApplyOutcome outcome = applier.apply(plan.actions(), api, snapshot::version);
        namespaceEnds |= outcome.namespaceEnds();
        return outcome;
    }

    /** One step of a deletion; tells whether the cluster may go. */
    public DeletionPlanner.Step clean() {
        namespaceEnds |= api.namespaceEnds("team-a");
        for (int round = 0; round < ROUNDS_MAX; round++) {
            Snapshot snapshot = snapshot();
            DeletionPlanner.Step step = deletion.plan(snapshot);
            ApplyOutcome outcome = apply(step.plan(), snapshot);
            if ((outcome.writes() == 0 && !outcome.namespaceEnds()) || step.done()) {
                if (coordinatorHeard && coordinator.clusterReport().isPresent()) {
                    coordinator.obey(step.plan().commands());
                }
                return step;
            }
        }
        throw new AssertionError("the plan never ends: " + planDeletion().plan().actions());
    }

    /** Another operator, without memory, carries out what it decided when it looked. */
    public void carryOut(ReconcilePlan plan) {
        new Applier(() -> api.now).apply(plan.actions(), api, snapshot()::version);
        coordinator.obey(plan.commands());
    }

    /** A reconcile that dies after {@code count} actions. */
    public List<Action> reconcileInterrupted(int count) {
        List<Action> actions = plan().actions();
        List<Action> done = actions.subList(0, Math.min(count, actions.size()));
        applier.apply(done, api, snapshot()::version);
        restartOperator();
        return done;
    }

    public void refuseNothing() {
        api.refuse(object -> false);
    }

    /** Somebody deletes the cluster; it is there until its finalizer is gone. */
    public void delete() {
        cluster.getMetadata().setDeletionTimestamp(api.now.toString());
    }

    public boolean isDeleting() {
        return cluster.getMetadata().getDeletionTimestamp() != null;
    }

    /** The cluster is gone, with the store that was its own, and somebody creates one of the same name. */
    public void createAgain() {
        cluster.setMetadata(new ObjectMetaBuilder()
                .withName(CLUSTER)
                .withNamespace("team-a")
                .withUid("cluster-uid-" + ++lives)
                .withGeneration(1L)
                .build());
        cluster.setStatus(null);
        coordinator.startEmpty("store-id-" + lives);
    }

    /** The garbage collector, which is slow: it deletes one object whose owner is gone; tells whether it found one. */
    public boolean collectGarbage() {
        return api.collect(cluster.getMetadata().getUid());
    }

    /** {@code kubectl delete namespace}: all is told to end, nothing can be made. */
    public void deleteNamespace() {
        api.endNamespace();
        delete();
    }

    /** The scheduler finds a node for the pod. */
    public void place(String pod, String node) {
        api.put(new PodBuilder(pods().get(pod))
                .editSpec()
                .withNodeName(node)
                .endSpec()
                .build());
    }

    /** The node of the pod is not heard of any more; somebody tells the pod to end. */
    public void loseNode(String pod) {
        place(pod, "node-of-" + pod);
        lostNodes.add("node-of-" + pod);
        api.delete(pods().get(pod), OptionalLong.empty());
    }

    /** The kubelet starts what is pending, ends what is terminating; a started worker takes its seat. */
    public void kubelet() {
        for (Pod pod : api.all(Pod.class).values()) {
            String name = pod.getMetadata().getName();
            if (lostNodes.contains(PodFacts.node(pod))) {
                continue;
            }
            if (PodFacts.isTerminating(pod)) {
                if (processesHang
                        && PodFacts.endsBy(pod).filter(api.now::isBefore).isPresent()) {
                    continue;
                }
                coordinator.end(name);
                api.remove(pod);
            } else if (pod.getStatus() == null
                    || pod.getStatus().getPhase() == null
                    || "Pending".equals(pod.getStatus().getPhase())) {
                begin(pod);
            } else if ("Running".equals(pod.getStatus().getPhase())
                    && !image(pod).equals(status(pod).getImage())) {
                restart(pod);
            } else if (brokenImages.contains(image(pod))) {
                crash(pod);
            }
        }
    }

    /** What the process of an image says that it is; images without a release in their tag are of the first. */
    private static String release(Pod pod) {
        String tag = image(pod).substring(image(pod).lastIndexOf(':') + 1);
        return Character.isDigit(tag.charAt(0)) ? tag : "0.1.0";
    }

    private static ContainerStatus status(Pod pod) {
        return pod.getStatus().getContainerStatuses().get(0);
    }

    /** The container's image has changed: its process ends, and the next one is of the new image if that is there. */
    private void restart(Pod pod) {
        String name = pod.getMetadata().getName();
        boolean pulls = imagesPull && !missingImages.contains(image(pod));
        coordinator.end(name);
        api.put(new PodBuilder(pod)
                .editStatus()
                .editFirstCondition()
                .withStatus(pulls ? "True" : "False")
                .endCondition()
                .editFirstContainerStatus()
                .withImage(pulls ? image(pod) : status(pod).getImage() + " ended")
                .withRestartCount(status(pod).getRestartCount() + (pulls ? 1 : 0))
                .withState(pulls ? null : waitingForImage())
                .endContainerStatus()
                .endStatus()
                .build());
        if (pulls && workerPods().containsKey(name)) {
            coordinator.take(name, pod.getMetadata().getUid(), 2, release(pod));
        }
    }

    private static ContainerState waitingForImage() {
        return new ContainerStateBuilder()
                .withNewWaiting()
                .withReason("ImagePullBackOff")
                .endWaiting()
                .build();
    }

    private void begin(Pod pod) {
        long placed = workerPods().values().stream()
                .filter(other -> other.getStatus() != null
                        && "Running".equals(other.getStatus().getPhase()))
                .count();
        boolean fits =
                placed < room || !workerPods().containsKey(pod.getMetadata().getName());
        if (!fits) {
            if (pod.getStatus() == null || pod.getStatus().getPhase() == null) {
                waitForRoom(pod);
            }
        } else if (imagesPull && !missingImages.contains(image(pod))) {
            run(pod);
        } else if (pod.getStatus() == null || pod.getStatus().getPhase() == null) {
            waitForImage(pod);
        }
    }

    private static String image(Pod pod) {
        return pod.getSpec().getContainers().get(0).getImage();
    }

    /** Its container ends and is started again. */
    public void crash(Pod pod) {
        crash(pod, 1);
    }

    /** Its process ends with this exit code, and its container is started again. */
    public void crash(Pod pod, int exitCode) {
        api.put(new PodBuilder(pod)
                .editStatus()
                .editFirstContainerStatus()
                .withRestartCount(pod.getStatus().getContainerStatuses().get(0).getRestartCount() + 1)
                .withNewLastState()
                .withNewTerminated()
                .withExitCode(exitCode)
                .endTerminated()
                .endLastState()
                .endContainerStatus()
                .endStatus()
                .build());
    }

    private void waitForRoom(Pod pod) {
        api.put(new PodBuilder(pod)
                .withNewStatus()
                .withPhase("Pending")
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("False")
                .withReason("Unschedulable")
                .withLastTransitionTime(api.now.toString())
                .endCondition()
                .endStatus()
                .build());
    }

    /** One round: a reconcile, and what everybody else does in a second. */
    public void round() {
        reconcile();
        collectGarbage();
        kubelet();
        work();
        certManager.work(api);
        pass(Duration.ofSeconds(1));
    }

    /** The status that the operator writes now; it is put into the cluster. */
    public ComputeClusterStatus writeStatus() {
        ComputeClusterStatus status = ClusterStatuses.of(snapshot(), plan());
        cluster.setStatus(status);
        return status;
    }

    /** The status of a condition and its reason, such as {@code False WrongStore}. */
    public String condition(String type) {
        return writeStatus().conditions.stream()
                .filter(condition -> condition.getType().equals(type))
                .map(condition -> condition.getStatus() + " " + condition.getReason())
                .findFirst()
                .orElse("");
    }

    public Map<String, Secret> secrets() {
        return api.all(Secret.class);
    }

    /** Draining workers give back part of what they hold, and say so in the end. */
    public void work() {
        coordinator.seats.forEach((name, seat) -> {
            if (coordinator.isDraining(name)) {
                if (seat.alive && seat.holds > 0) {
                    seat.moved++;
                }
                seat.holds = seat.alive ? Math.max(0, seat.holds - 1) : 0;
                seat.runs = 0;
                seat.drained = seat.holds == 0;
            }
        });
    }

    /** The pod ends by itself and stays as a corpse. */
    public void fail(String name) {
        Pod pod = api.all(Pod.class).get(name);
        coordinator.end(name);
        api.put(new PodBuilder(pod)
                .withStatus(new PodStatusBuilder().withPhase("Failed").build())
                .build());
    }

    /** The pod is deleted by somebody, and gone. */
    public void lose(String name) {
        coordinator.end(name);
        api.remove(api.all(Pod.class).get(name));
    }

    /** The worker runs so many futures. */
    public void run(String seat, long count) {
        coordinator.seats.get(seat).runs = count;
    }

    /** The worker holds so many objects. */
    public void hold(String seat, long count) {
        coordinator.seats.get(seat).holds = count;
    }

    public Map<String, ComputeWorker> workers() {
        return api.all(ComputeWorker.class);
    }

    public Map<String, Pod> pods() {
        return api.all(Pod.class);
    }

    public Map<String, ComputeLayout> layouts() {
        return api.all(ComputeLayout.class);
    }

    public Map<String, Pod> workerPods() {
        Map<String, Pod> pods = new TreeMap<>(pods());
        pods.values()
                .removeIf(pod ->
                        !Labels.WORKER.equals(pod.getMetadata().getLabels().get(Labels.COMPONENT)));
        return pods;
    }

    /** Reconciles and lets time pass until nothing changes any more; returns what was written meanwhile. */
    public List<String> settle() {
        api.takeWrites();
        List<String> written = new ArrayList<>();
        int quiet = 0;
        for (int i = 0; i < SETTLE_MAX && quiet < QUIET; i++) {
            reconcile();
            List<String> now = api.takeWrites();
            written.addAll(now);
            quiet = now.isEmpty() && !collectGarbage() ? quiet + 1 : 0;
            kubelet();
            work();
            certManager.work(api);
            pass(Duration.ofSeconds(1));
        }
        api.checkReadersOnlyRead();
        return written;
    }

    public Snapshot snapshot() {
        Optional<CoordinatorReport> clusterReport = coordinatorHeard ? coordinator.clusterReport() : Optional.empty();
        Map<String, HasMetadata> policies = new TreeMap<>(api.all(PodDisruptionBudget.class));
        policies.putAll(api.all(NetworkPolicy.class));
        return new Snapshot(
                        cluster,
                        api.now,
                        clusterReport,
                        List.copyOf(api.all(ControllerRevision.class).values()),
                        api.all(ComputeWorker.class),
                        List.copyOf(api.all(ComputeLayout.class).values()),
                        api.all(Pod.class),
                        api.all(PersistentVolumeClaim.class),
                        api.all(Secret.class),
                        api.all(Service.class),
                        api.all(ConfigMap.class),
                        policies,
                        userAuthority,
                        program(),
                        certManager.requested(api),
                        Map.<String, Instant>of(),
                        new Surroundings(
                                namespaceEnds,
                                lostNodes,
                                silence.observe(
                                        ClusterKey.of(cluster),
                                        clusterReport.isPresent(),
                                        api.all(Pod.class).values(),
                                        api.now)),
                        List.of())
                .withoutFormer();
    }

    /** The ConfigMap that the newest spec names, which carries no label of ours. */
    private Optional<ConfigMap> program() {
        return Optional.ofNullable(cluster.getSpec().circuit)
                .flatMap(circuit -> Optional.ofNullable(circuit.sql))
                .map(sql -> programs.get(sql.configMapKeyRef.name));
    }

    private void run(Pod pod) {
        String name = pod.getMetadata().getName();
        api.put(new PodBuilder(pod)
                .withNewStatus()
                .withPhase(name.equals(Names.pullPod(CLUSTER)) ? "Succeeded" : "Running")
                .withPodIP("10.0.0.1")
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .addNewContainerStatus()
                .withName(pod.getSpec().getContainers().get(0).getName())
                .withImage(image(pod))
                .withStarted(true)
                .withRestartCount(0)
                .endContainerStatus()
                .endStatus()
                .build());
        if (Labels.WORKER.equals(pod.getMetadata().getLabels().get(Labels.COMPONENT))) {
            coordinator.take(name, pod.getMetadata().getUid(), 2, release(pod));
        }
    }

    private void waitForImage(Pod pod) {
        api.put(new PodBuilder(pod)
                .withNewStatus()
                .withPhase("Pending")
                .addNewContainerStatus()
                .withName(pod.getSpec().getContainers().get(0).getName())
                .withStarted(false)
                .withRestartCount(0)
                .withNewState()
                .withNewWaiting()
                .withReason("ImagePullBackOff")
                .endWaiting()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build());
    }
}
