/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.Labels;
import dev.ratchet.crds.layout.LayoutMember;
import dev.ratchet.operator.model.Revision;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A revision is the whole pod template, made once; pods are made from the revision of their seat. */
class RevisionsTest {
    private final World world = new World();

    @BeforeEach
    void twoWorkers() {
        world.scale(2);
        world.settle();
    }

    @Test
    void anotherReleaseOfTheOperatorRollsNothingAndMakesThePodsOfBefore() {
        Map<String, String> before = uids();
        Pod pod = world.pods().get("orders-w-1");
        world.upgradeOperator("0.2.0");
        world.settle();
        assertThat(uids()).isEqualTo(before);
        assertThat(world.layouts()).hasSize(1);
        assertThat(templates()).hasSize(1);
        world.lose("orders-w-1");
        world.settle();
        Pod again = world.pods().get("orders-w-1");
        assertThat(again.getSpec()).isEqualTo(pod.getSpec());
        assertThat(PodFacts.revision(again)).isEqualTo(PodFacts.revision(pod));
    }

    @Test
    void aRevisionKeepsWhatItWasMadeFromForAWayBack() {
        world.edit(spec -> spec.workers.threads = 5);
        world.reconcile();
        assertThat(templates().values())
                .anySatisfy(revision -> assertThat(Revision.tree(revision)
                                .at("/data/fields/spec.workers.threads")
                                .asInt())
                        .isEqualTo(5))
                .allSatisfy(revision -> assertThat(Revision.tree(revision)
                                .at("/data/fields/spec.version")
                                .asText())
                        .isEqualTo("0.1.0"));
    }

    @Test
    void anEditOfALiveFieldRollsNothingAndReachesThePodsThatComeLater() {
        Map<String, String> before = uids();
        world.edit(spec -> spec.workers.drainTimeoutMillis = 1000);
        world.settle();
        assertThat(uids()).isEqualTo(before);
        assertThat(world.layouts()).hasSize(1);
        world.scale(3);
        world.settle();
        assertThat(world.pods().get("orders-w-2").getSpec().getTerminationGracePeriodSeconds())
                .isEqualTo(31);
        assertThat(world.workers().values())
                .extracting(worker -> worker.getSpec().revision)
                .containsOnly(templates().keySet().iterator().next());
    }

    @Test
    void pruningSpecsLeavesTheRevisionOfThePods() {
        for (int replicas = 3; replicas < 18; replicas++) {
            world.scale(replicas % 3);
            world.edit(spec -> spec.workers.drainTimeoutMillis++);
            world.settle();
        }
        assertThat(templates()).hasSize(1);
        assertThat(world.api.all(ControllerRevision.class)).hasSize(11);
    }

    @Test
    void aRevisionThatSomebodyDeletedIsMadeAgain() {
        String revision = templates().keySet().iterator().next();
        world.api.remove(templates().get(revision));
        world.lose("orders-w-0");
        world.settle();
        assertThat(templates()).containsOnlyKeys(revision);
        assertThat(world.pods()).containsKey("orders-w-0");
    }

    @Test
    void theLayoutSaysWhichRevisionASeatHas() {
        assertThat(world.layouts().get("orders-l1").getSpec().workers)
                .extracting(member -> member.revision)
                .containsOnly(templates().keySet().iterator().next());
    }

    /** As an operator did that kept no revisions: the layout names one, and nothing else is known of it. */
    @Test
    void aClusterOfAnOperatorThatKeptNoRevisionsGoesOnUnderTheNameThatItsLayoutHas() {
        Map<String, String> before = uids();
        templates().values().forEach(world.api::remove);
        world.layouts().values().forEach(layout -> {
            for (LayoutMember member : layout.getSpec().workers) {
                member.revision = "orders-0123456789";
            }
            world.api.put(layout);
            world.coordinator.putIntoForce(layout);
        });
        world.settle();
        world.upgradeOperator("0.2.0");
        world.settle();
        assertThat(templates()).containsOnlyKeys("orders-0123456789");
        assertThat(uids()).isEqualTo(before);
        assertThat(world.layouts()).hasSize(1);
    }

    private Map<String, String> uids() {
        return world.workerPods().values().stream()
                .collect(Collectors.toMap(pod -> pod.getMetadata().getName(), pod -> pod.getMetadata()
                        .getUid()));
    }

    private Map<String, ControllerRevision> templates() {
        Map<String, ControllerRevision> found = new TreeMap<>(world.api.all(ControllerRevision.class));
        found.values()
                .removeIf(revision ->
                        !Labels.WORKER.equals(revision.getMetadata().getLabels().get(Labels.COMPONENT)));
        return found;
    }
}
