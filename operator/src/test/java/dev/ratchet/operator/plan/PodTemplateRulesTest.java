/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.cluster.EmbeddedStoreSpec;
import dev.ratchet.operator.main.ClientFactory;
import dev.ratchet.operator.model.PodSettings;
import dev.ratchet.operator.model.Privilege;
import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a pod template may not say, and what it may once the administrator allows it. */
class PodTemplateRulesTest {
    private static final KubernetesSerialization YAML = ClientFactory.serialization();

    /** A template in YAML, where the offending field is and what it is, and what must be allowed for it. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        spec: {hostNetwork: true}                          | spec.hostNetwork is true | HostNamespaces
        spec: {hostPID: true}                              | spec.hostPID is true     | HostNamespaces
        spec: {hostIPC: true}                              | spec.hostIPC is true     | HostNamespaces
        spec: {containers: [{name: a, ports: [{containerPort: 80, hostPort: 81}]}]} | \
            spec.containers[a].ports[80].hostPort is 81                               | HostNamespaces
        spec: {volumes: [{name: a, hostPath: {path: /etc}}]} | spec.volumes[a].hostPath.path is /etc | HostPath
        spec: {serviceAccountName: admin}                  | spec.serviceAccountName is admin | ServiceAccount
        spec: {serviceAccount: admin}                      | spec.serviceAccount is admin | ServiceAccount
        spec: {automountServiceAccountToken: true}         | spec.automountServiceAccountToken is true | ServiceAccount
        spec: {volumes: [{name: a, projected: {sources: [{serviceAccountToken: {path: t}}]}}]} | \
            spec.volumes[a].projected.sources.serviceAccountToken is t                | ServiceAccount
        spec: {securityContext: {runAsUser: 0}}            | spec.securityContext.runAsUser is 0 | Root
        spec: {securityContext: {runAsNonRoot: false}}     | spec.securityContext.runAsNonRoot is false | Root
        spec: {containers: [{name: worker, securityContext: {runAsUser: 0}}]} | \
            spec.containers[worker].securityContext.runAsUser is 0                    | Root
        spec: {containers: [{name: worker, securityContext: {privileged: true}}]} | \
            spec.containers[worker].securityContext.privileged is true                | Privileged
        spec: {initContainers: [{name: a, securityContext: {privileged: true}}]} | \
            spec.initContainers[a].securityContext.privileged is true                 | Privileged
        spec: {ephemeralContainers: [{name: a, securityContext: {privileged: true}}]} | \
            spec.ephemeralContainers[a].securityContext.privileged is true            | Privileged
        spec: {containers: [{name: a, securityContext: {allowPrivilegeEscalation: true}}]} | \
            spec.containers[a].securityContext.allowPrivilegeEscalation is true       | Privileged
        spec: {containers: [{name: a, securityContext: {capabilities: {add: [SYS_ADMIN]}}}]} | \
            spec.containers[a].securityContext.capabilities.add is SYS_ADMIN          | Privileged
        spec: {containers: [{name: a, securityContext: {procMount: Unmasked}}]} | \
            spec.containers[a].securityContext.procMount is Unmasked                  | Privileged
        spec: {securityContext: {seccompProfile: {type: Unconfined}}} | \
            spec.securityContext.seccompProfile.type is Unconfined                    | Privileged
        spec: {securityContext: {appArmorProfile: {type: Unconfined}}} | \
            spec.securityContext.appArmorProfile.type is Unconfined                   | Privileged
        spec: {securityContext: {windowsOptions: {hostProcess: true}}} | \
            spec.securityContext.windowsOptions.hostProcess is true                   | Privileged
        metadata: {annotations: {container.apparmor.security.beta.kubernetes.io/worker: unconfined}} | \
            metadata.annotations.container.apparmor.security.beta.kubernetes.io/worker is unconfined | Privileged
        """)
    void whatNeedsThePermissionOfTheAdministratorIsRefusedWithout(String template, String words, String privilege) {
        World none = new World();
        none.edit(spec -> spec.workers.podTemplate = template(template));
        assertThat(none.plan().acceptance().isAccepted()).isFalse();
        assertThat(none.plan().acceptance().message())
                .isEqualTo("spec.workers.podTemplate." + words.strip()
                        + ", which this operator does not allow; remove it, or have its administrator add " + privilege
                        + " to podTemplates.allow of the chart");

        Privilege needed = Privilege.of(privilege).orElseThrow();
        World others = new World(allow(Set.of(Privilege.values()), needed));
        others.edit(spec -> spec.workers.podTemplate = template(template));
        assertThat(others.plan().acceptance().isAccepted()).isFalse();

        World allowed = new World(new PodSettings(List.of(), true, "", "", Set.of(needed), List.of()));
        allowed.edit(spec -> spec.workers.podTemplate = template(template));
        assertThat(allowed.plan().acceptance().message()).isEmpty();
    }

    private static PodSettings allow(Set<Privilege> all, Privilege without) {
        Set<Privilege> rest = new HashSet<>(all);
        rest.remove(without);
        return new PodSettings(List.of(), true, "", "", rest, List.of());
    }

    @Test
    void theTemplateOfTheStoreIsHeldToTheSame() {
        World world = new World();
        world.edit(spec -> {
            EmbeddedStoreSpec store = new EmbeddedStoreSpec();
            store.podTemplate = template("spec: {hostNetwork: true, tolerationz: []}");
            spec.store.embedded = store;
        });
        assertThat(world.plan().acceptance().message())
                .contains("spec.store.embedded.podTemplate.spec.hostNetwork is true")
                .contains("spec.store.embedded.podTemplate.spec.tolerationz is not a field that Kubernetes knows");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        speck: {}                                            | speck                      | pod
        metadata: {lables: {a: b}}                           | metadata.lables            | pod.metadata
        spec: {tolerationz: [{key: a}]}                      | spec.tolerationz           | pod.spec
        spec: {tolerations: [{kee: a}]}                      | spec.tolerations[0].kee    | pod.spec.tolerations
        spec: {containers: [{name: a}, {name: b, imag: c}]}  | spec.containers[1].imag    | pod.spec.containers
        spec: {affinity: {nodeAfinity: {}}}                  | spec.affinity.nodeAfinity  | pod.spec.affinity
        """)
    void aFieldThatKubernetesDoesNotKnowIsNamed(String template, String path, String known) {
        World world = new World();
        world.edit(spec -> spec.workers.podTemplate = template(template));
        assertThat(world.plan().acceptance().message())
                .isEqualTo("spec.workers.podTemplate." + path
                        + " is not a field that Kubernetes knows; look at kubectl explain " + known);
    }

    /** The schema lets it pass; read strictly by the client, it would keep the operator from every other cluster. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {spec: {tolerations: [{tolerationSeconds: many}]}} | spec.tolerations[0].tolerationSeconds
        {spec: {tolerations: all}}                         | spec.tolerations
        {spec: {affinity: {nodeAffinity: near}}}           | spec.affinity.nodeAffinity
        {spec: {containers: [{name: a, ports: [7]}]}}      | spec.containers[0].ports
        {spec: {securityContext: {runAsUser: root}}}       | spec.securityContext.runAsUser
        """)
    void aValueOfAnotherTypeIsNamedAndTheClusterIsRead(String template, String path) {
        ComputeCluster read = YAML.unmarshal("""
                apiVersion: ratchet.dev/v1alpha1
                kind: ComputeCluster
                spec: {version: 0.1.0, workers: {replicas: 7, podTemplate: %s}}
                """.formatted(template), ComputeCluster.class);
        assertThat(read.getSpec().workers.replicas).isEqualTo(7);
        World world = new World();
        world.edit(spec -> spec.workers.podTemplate = read.getSpec().workers.podTemplate);
        assertThat(world.plan().acceptance().message())
                .startsWith("spec.workers.podTemplate." + path + " has a value that Kubernetes does not take");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "spec: {serviceAccountName: default, hostNetwork: false, securityContext: {runAsUser: 1000}}",
                "spec: {containers: [{name: a, image: b, securityContext: {capabilities: {add: [NET_BIND_SERVICE]}}}]}",
                "spec: {containers: [{name: a, image: b, resources: {limits: {cpu: 1, memory: 1Gi}}}]}",
                "spec: {containers: [{name: worker, env: [{name: RATCHET_LOG_LEVEL, value: DEBUG}]}]}",
                "spec: {containers: [{name: worker, env: [{name: RATCHET_LABELS, value: zone=$(ZONE)}]}]}",
                "spec: {containers: [{name: a, image: b, livenessProbe: {httpGet: {port: 80}}}]}",
                "spec: {volumes: [{name: a, emptyDir: {sizeLimit: 1Gi}}], tolerations: [{operator: Exists}]}",
            })
    void whatIsUsualIsAccepted(String template) {
        World world = new World();
        world.edit(spec -> spec.workers.podTemplate = template(template));
        assertThat(world.plan().acceptance().message()).isEmpty();
    }

    private static PodTemplateSpec template(String yaml) {
        return YAML.unmarshal(yaml, PodTemplateSpec.class);
    }
}
