/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.cluster.CertificateSource;
import dev.ratchet.crds.cluster.ClientAccessSpec;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.EmbeddedStoreSpec;
import dev.ratchet.crds.cluster.FoundationDbStore;
import dev.ratchet.crds.cluster.StorageSpec;
import dev.ratchet.crds.cluster.StoreType;
import dev.ratchet.crds.cluster.UpgradeStrategy;
import dev.ratchet.operator.status.Reason;
import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AcceptanceTest {
    private final World world = new World();

    static Stream<Arguments> badSpecs() {
        return Stream.of(
                bad("replicas is -1", spec -> spec.workers.replicas = -1),
                bad("replicas is 1001", spec -> spec.workers.replicas = 1001),
                bad("threads is 0", spec -> spec.workers.threads = 0),
                bad("spec.version is ''", spec -> spec.version = ""),
                bad("newer than this operator", spec -> spec.version = "0.2.0"),
                bad("spec.store.foundationDB must be set", spec -> spec.store.type = StoreType.FOUNDATION_DB),
                bad("spec.store.foundationDB must be set", spec -> spec.store.foundationDB = new FoundationDbStore()),
                bad("must be a quantity", spec -> spec.workers.resources.limits.put("memory", new Quantity("much"))),
                bad("must not be more than the limit", spec -> {
                    spec.workers.resources.requests.put("cpu", new Quantity("2"));
                    spec.workers.resources.limits.put("cpu", new Quantity("1500m"));
                }),
                bad("at least 256Mi", spec -> spec.workers.resources.limits.put("memory", new Quantity("64Mi"))),
                bad("at most half", spec -> {
                    spec.workers.resources.limits.put("memory", new Quantity("1Gi"));
                    spec.workers.objectStore.memory = new Quantity("600Mi");
                }),
                bad("the name a is taken", spec -> spec.access.clients = List.of(client("a"), client("a"))),
                bad("is used for something else", spec -> {
                    ClientAccessSpec client = client("b");
                    client.secretName = "orders-ca";
                    spec.access.clients = List.of(client);
                }),
                bad(
                        "issuerRef.name must be set",
                        spec -> spec.access.certificates.type = CertificateSource.CERT_MANAGER),
                bad("spec.circuit.sql must be set", spec -> spec.circuit = new dev.ratchet.crds.cluster.CircuitSpec()),
                bad("spec.layout", spec -> spec.layout.copyBytesPerSecond = 1),
                bad("spec.layout", spec -> spec.layout.placementRef.name = "mine"),
                bad("would have 1001 workers at once", spec -> spec.workers.replicas = 1000),
                bad("would have 1002 workers at once", spec -> {
                    spec.workers.replicas = 501;
                    spec.upgrade.maxSurge = 1000;
                }),
                bad("both 0", spec -> spec.upgrade.maxSurge = 0),
                bad("maxSurge is -1", spec -> spec.upgrade.maxSurge = -1),
                bad("maxAttempts is 0", spec -> spec.upgrade.rollback.maxAttempts = 0),
                bad("must be less than timeoutMillis", spec -> spec.upgrade.gates.stableMillis = 900_000),
                bad("judges no rate of steps", spec -> spec.upgrade.gates.minStepRatePercent = 5),
                bad("maxFailurePercent is 101", spec -> spec.upgrade.gates.maxFailurePercent = 101),
                bad(
                        "spec.containers[worker].command is reserved",
                        spec -> spec.workers.podTemplate = new PodTemplateSpecBuilder()
                                .withNewSpec()
                                .addNewContainer()
                                .withName("worker")
                                .withCommand("sh")
                                .endContainer()
                                .endSpec()
                                .build()),
                bad(
                        "labels.ratchet.dev/seat is reserved",
                        spec -> spec.workers.podTemplate = new PodTemplateSpecBuilder()
                                .withNewMetadata()
                                .addToLabels("ratchet.dev/seat", "x")
                                .endMetadata()
                                .build()),
                bad(
                        "spec.volumes[tls] is reserved",
                        spec -> spec.workers.podTemplate = new PodTemplateSpecBuilder()
                                .withNewSpec()
                                .addNewVolume()
                                .withName("tls")
                                .endVolume()
                                .endSpec()
                                .build()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badSpecs")
    void aSpecThatCanNotWorkIsRefusedWithWordsAndNothingIsMade(String words, Consumer<ComputeClusterSpec> change) {
        world.edit(change);
        Acceptance acceptance = world.reconcile().acceptance();
        assertThat(acceptance.isAccepted()).isFalse();
        assertThat(acceptance.message()).contains(words);
        assertThat(world.api.takeWrites()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badSpecs")
    void aClusterThatRunsKeepsItsLastGoodSpec(String words, Consumer<ComputeClusterSpec> change) {
        world.scale(2);
        world.settle();
        world.edit(change);
        world.settle();
        assertThat(world.workerPods()).hasSize(2);
        assertThat(world.plan().acceptance().message()).contains(words);
        assertThat(world.plan().target().orElseThrow().spec().workers.replicas).isEqualTo(2);
    }

    @Test
    void theLargestClusterIsAcceptedWhereItsUpgradesAddNoWorker() {
        world.edit(spec -> {
            spec.workers.replicas = 1000;
            spec.upgrade.maxSurge = 0;
            spec.upgrade.maxUnavailable = 1;
        });
        assertThat(world.plan().acceptance().isAccepted()).isTrue();
        world.edit(spec -> {
            spec.upgrade.strategy = UpgradeStrategy.ALL_AT_ONCE;
            spec.upgrade.maxSurge = 1;
        });
        assertThat(world.plan().acceptance().isAccepted()).isTrue();
    }

    @Test
    void aFirstSpecThatIsRefusedIsWhyNothingIsLaidOut() {
        world.edit(spec -> spec.workers.threads = 0);
        assertThat(world.condition(ConditionType.ACCEPTED)).isEqualTo("False InvalidSpec");
        for (String type : List.of(ConditionType.READY, ConditionType.PROGRESSING, ConditionType.LAYOUT_STABLE)) {
            assertThat(world.condition(type)).as(type).isEqualTo("False SpecNotAccepted");
        }
    }

    @Test
    void aNameThatIsTooLongIsRefused() {
        world.cluster.getMetadata().setName("a".repeat(41));
        assertThat(world.plan().acceptance().message()).contains("at most 40");
    }

    @Test
    void anImmutableFieldCanNotBeChanged() {
        world.scale(1);
        world.settle();
        world.edit(spec -> {
            spec.store.embedded = new EmbeddedStoreSpec();
            spec.store.embedded.storage = new StorageSpec();
        });
        assertThat(world.plan().acceptance().reason()).isEqualTo(Reason.IMMUTABLE_FIELD);
        assertThat(world.plan().acceptance().message()).contains("spec.store.embedded");
    }

    @Test
    void aStoreThatIsInUseIsNotReplaced() {
        world.edit(spec -> {
            spec.store.embedded = new EmbeddedStoreSpec();
            spec.store.embedded.storage = new StorageSpec();
            spec.workers.replicas = 2;
        });
        world.settle();
        world.edit(spec -> spec.store.embedded.resources.limits.put("memory", new Quantity("2Gi")));
        assertThat(world.plan().acceptance().reason()).isEqualTo(Reason.NOT_SUPPORTED);
        assertThat(world.plan().acceptance().message())
                .contains("spec.store.embedded.resources.limits")
                .contains("replicas to 0");
        world.edit(spec -> spec.workers.replicas = 0);
        world.edit(spec -> spec.store.embedded.resources.limits.clear());
        world.settle();
        world.edit(spec -> spec.store.embedded.resources.limits.put("memory", new Quantity("2Gi")));
        world.settle();
        assertThat(world.plan().acceptance().isAccepted()).isTrue();
    }

    @Test
    void onlyNeighbouringReleasesRunBesideEachOther() {
        World other = new World("0.9.1");
        other.edit(spec -> spec.version = "0.7.0");
        other.scale(1);
        other.settle();
        other.edit(spec -> spec.version = "0.9.0");
        assertThat(other.plan().acceptance().message()).contains("0.7.0").contains("go to 0.8 first");
        other.edit(spec -> spec.version = "0.8.4");
        assertThat(other.plan().acceptance().isAccepted()).isTrue();
    }

    @Test
    void aBadImageIsPutRightByAnother() {
        world.imagesPull = false;
        world.edit(spec -> {
            spec.image = "nowhere/worker:1";
            spec.workers.replicas = 2;
        });
        world.settle();
        world.edit(spec -> spec.image = "ratchet/worker:0.1.0");
        world.imagesPull = true;
        world.settle();
        assertThat(world.plan().acceptance().isAccepted()).isTrue();
        assertThat(world.pods().values()).hasSize(3).allSatisfy(pod -> assertThat(
                        pod.getSpec().getContainers().get(0).getImage())
                .isEqualTo("ratchet/worker:0.1.0"));
    }

    @Test
    void aStoreWithoutVolumeIsNotReplacedAndOneWithAVolumeIsOnceNobodyUsesIt() {
        world.edit(spec -> spec.store.embedded = new EmbeddedStoreSpec());
        world.scale(0);
        world.settle();
        world.edit(spec -> spec.image = "ratchet/worker:other");
        String before = world.pods().get("orders-store-0").getMetadata().getUid();
        world.settle();
        assertThat(world.pods().get("orders-store-0").getMetadata().getUid()).isEqualTo(before);
        world.edit(spec -> spec.store.embedded.resources.limits.put("memory", new Quantity("2Gi")));
        assertThat(world.plan().acceptance().message()).contains("would lose all data");

        World other = new World();
        other.edit(spec -> {
            spec.store.embedded = new EmbeddedStoreSpec();
            spec.store.embedded.storage = new StorageSpec();
            spec.workers.replicas = 0;
        });
        other.settle();
        other.edit(spec -> spec.image = "ratchet/worker:other");
        other.settle();
        assertThat(other.pods()
                        .get("orders-store-0")
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getImage())
                .isEqualTo("ratchet/worker:other");
    }

    @Test
    void goingBackToAnEarlierSpecMakesItTheLastGoodOneAgain() {
        world.scale(1);
        world.settle();
        world.scale(2);
        world.settle();
        world.scale(1);
        world.settle();
        world.edit(spec -> spec.workers.threads = 0);
        assertThat(world.plan().target().orElseThrow().spec().workers.replicas).isEqualTo(1);
    }

    @Test
    void everyFieldOfASpecDeclaresWhatItsChangeCosts() {
        ComputeClusterSpec older = new ComputeClusterSpec();
        ComputeClusterSpec newer = new ComputeClusterSpec();
        newer.workers.replicas = 7;
        newer.workers.threads = 3;
        newer.paused = true;
        newer.workers.volumeRetention.whenScaled = dev.ratchet.crds.cluster.DeletionPolicy.RETAIN;
        assertThat(SpecDifference.between(older, newer))
                .extracting(difference -> difference.path() + " " + difference.change())
                .containsExactlyInAnyOrder(
                        "spec.workers.replicas LAYOUT",
                        "spec.workers.threads UPGRADE",
                        "spec.paused LIVE",
                        "spec.workers.volumeRetention.whenScaled LIVE");
    }

    private static Arguments bad(String words, Consumer<ComputeClusterSpec> change) {
        return Arguments.of(words, change);
    }

    private static ClientAccessSpec client(String name) {
        ClientAccessSpec client = new ClientAccessSpec();
        client.name = name;
        return client;
    }
}
