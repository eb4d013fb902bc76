/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.CertManager;
import dev.ratchet.crds.cluster.CertificateSource;
import dev.ratchet.crds.cluster.ClientAccessSpec;
import dev.ratchet.operator.model.Certificate;
import dev.ratchet.operator.model.CertificateRequests;
import dev.ratchet.operator.model.CertificateSecrets;
import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clusters whose certificates come from cert-manager. */
class CertManagerTest {
    private static final int STEPS = 50;

    private final World world = new World();

    @Test
    void whatIsAskedForHasTheNamesAndPurposesOfOurOwnCertificates() {
        world.scale(1);
        use(world, true);
        world.settle();
        Map<String, Certificate> asked = world.api.all(Certificate.class);
        assertThat(asked)
                .containsOnlyKeys("orders-client", "orders-operator-tls", "orders-store-0-tls", "orders-w-0-tls");
        Certificate worker = asked.get("orders-w-0-tls");
        assertThat(worker.getSpec().secretName).isEqualTo("orders-w-0-tls");
        assertThat(worker.getSpec().uris).containsExactly("ratchet://team-a/orders/worker/orders-w-0");
        assertThat(worker.getSpec().dnsNames)
                .containsExactly(
                        "orders-w-0.team-a.ratchet", "orders-client.team-a.ratchet", "orders-circuit.team-a.svc");
        assertThat(worker.getSpec().usages).containsExactly("digital signature", "server auth", "client auth");
        assertThat(worker.getSpec().duration).isEqualTo("2160h0m0s");
        assertThat(worker.getSpec().issuerRef)
                .isEqualTo(Map.of("group", "cert-manager.io", "kind", "Issuer", "name", "our-issuer"));
        assertThat(asked.get("orders-client").getSpec().usages)
                .as("a client can not serve")
                .containsExactly("digital signature", "client auth");
        assertThat(asked.get("orders-operator-tls").getSpec().uris)
                .containsExactly("ratchet://team-a/orders/operator/operator");
        assertThat(world.secrets())
                .as("no authority of our own is made")
                .doesNotContainKey(Names.authoritySecret(World.CLUSTER));
        assertThat(world.workerPods()).hasSize(1);
        assertThat(world.plan().actions()).isEmpty();
        assertThat(world.condition("Ready")).isEqualTo("True AllWorkersReady");
    }

    @Test
    void podsWaitForTheirSecretsAndTheConditionSaysWhereToLook() {
        world.certManager.issues = false;
        world.scale(2);
        use(world, true);
        world.settle();
        assertThat(world.pods()).isEmpty();
        assertThat(world.condition("Ready")).isEqualTo("False WaitingForCertificates");
        assertThat(world.condition("Degraded")).startsWith("False");
        assertThat(world.plan().blocked().orElseThrow().message()).contains("kubectl describe certificate");
        world.certManager.issues = true;
        world.settle();
        assertThat(world.workerPods()).hasSize(2);
    }

    @Test
    void withoutCertManagerNothingIsMadeOrTakenFromARunningCluster() {
        world.certManager.installed = false;
        world.scale(2);
        use(world, true);
        world.settle();
        assertThat(world.pods()).isEmpty();
        assertThat(world.api.all(Certificate.class)).isEmpty();
        assertThat(world.condition("Degraded")).isEqualTo("True CertificatesUnusable");
        assertThat(world.plan().blocked().orElseThrow().message()).contains("install cert-manager");

        World running = new World();
        running.certManager.installed = false;
        running.scale(2);
        running.settle();
        Map<String, Secret> before = running.secrets();
        use(running, true);
        running.settle();
        assertThat(running.secrets()).isEqualTo(before);
        assertThat(running.workerPods()).hasSize(2);
        use(running, false);
        running.settle();
        assertThat(running.condition("Ready")).isEqualTo("True AllWorkersReady");
    }

    @Test
    void anIssuerThatDoesNotWorkTakesNothingFromARunningCluster() {
        world.scale(2);
        world.settle();
        Map<String, Secret> before = world.secrets();
        world.certManager.issues = false;
        use(world, true);
        world.settle();
        assertThat(world.secrets()).isEqualTo(before);
        assertThat(world.condition("Ready")).isEqualTo("True AllWorkersReady");
        world.certManager.issues = true;
        world.settle();
        assertThat(world.secrets().get("orders-w-0-tls")).matches(CertificateRequests::made);
        assertThat(world.secrets().get("orders-client")).matches(CertificateRequests::made);
        assertThat(world.plan().actions()).isEmpty();
    }

    @Test
    void anIssuerThatDoesNotTellItsAuthorityIsNamed() {
        world.certManager.tellsAuthority = false;
        use(world, true);
        world.settle();
        assertThat(world.pods()).isEmpty();
        assertThat(world.condition("Degraded")).isEqualTo("True CertificatesUnusable");
        assertThat(world.plan().blocked().orElseThrow().message()).contains("ca.crt");
    }

    @Test
    void aRotationReachesTheConnectionDocument() throws IOException {
        use(world, true);
        world.settle();
        String before = connection(world, "orders-client").path("certificate").asText();
        world.pass(Duration.ofDays(70));
        world.settle();
        JsonNode after = connection(world, "orders-client");
        assertThat(after.path("certificate").asText()).isNotEqualTo(before);
        checkConnections(world, 0);
    }

    @Test
    void aRemovedClientLosesCertificateSecretsAndAdmission() {
        world.edit(spec -> spec.access.clients = List.of(client("batch")));
        use(world, true);
        world.settle();
        assertThat(config()).contains("\"clients\":[\"batch\",\"default\"]");
        assertThat(world.secrets()).containsKeys("orders-client-batch", "orders-client-batch-connection");
        world.edit(spec -> spec.access.clients = List.of());
        world.settle();
        assertThat(config()).contains("\"clients\":[\"default\"]");
        assertThat(world.secrets()).doesNotContainKeys("orders-client-batch", "orders-client-batch-connection");
        assertThat(world.api.all(Certificate.class)).doesNotContainKey("orders-client-batch");
    }

    @Test
    void aDeletedClusterLeavesNothingWithCertManager() {
        world.scale(2);
        use(world, true);
        world.settle();
        world.cluster.getMetadata().setDeletionTimestamp(world.snapshot().now().toString());
        boolean done = false;
        for (int i = 0; i < 10 && !done; i++) {
            done = world.clean().done();
            world.kubelet();
            world.certManager.work(world.api);
            world.pass(Duration.ofSeconds(1));
        }
        assertThat(done).isTrue();
        assertThat(world.api.all(Certificate.class)).isEmpty();
        assertThat(world.secrets().values()).noneMatch(CertificateRequests::made);
    }

    @Test
    void twoClientsCanNotShareTheSecretOfAConnection() {
        ClientAccessSpec second = client("b");
        second.secretName = "orders-client-a-connection";
        world.edit(spec -> spec.access.clients = List.of(client("a"), second));
        use(world, true);
        assertThat(world.plan().acceptance().message()).contains("is used for something else");
        use(world, false);
        assertThat(world.plan().acceptance().isAccepted()).isTrue();
    }

    /**
     * Whatever happens, in the end each process has a certificate from where the spec says, and nothing else is left.
     */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theLastWishComesTrueWhateverHappens(long seed) throws IOException {
        Random random = new Random(seed);
        use(world, random.nextBoolean());
        for (int step = 0; step < STEPS; step++) {
            happen(random);
            if (random.nextInt(4) == 0) {
                world.reconcileInterrupted(random.nextInt(6));
            } else {
                world.reconcile();
            }
        }
        boolean asks = random.nextBoolean();
        use(world, asks);
        world.scale(random.nextInt(5));
        world.coordinatorHeard = true;
        world.certManager.issues = true;
        world.certManager.installed = true;
        world.settle();
        world.settle();
        assertThat(world.plan().actions()).as("seed %d", seed).isEmpty();
        assertThat(world.workerPods()).as("seed %d", seed).hasSize(world.cluster.getSpec().workers.replicas);
        assertThat(world.condition("Ready")).as("seed %d", seed).startsWith("True");
        checkSecrets(asks, seed);
        checkConnections(world, seed);
    }

    private void happen(Random random) {
        switch (random.nextInt(12)) {
            case 0 -> world.scale(random.nextInt(5));
            case 1 -> world.certManager.issues = random.nextInt(3) > 0;
            case 2 -> world.certManager.installed = random.nextInt(3) > 0;
            case 3 -> {
                if (random.nextInt(3) == 0) {
                    use(world, random.nextBoolean());
                }
            }
            case 4 -> {
                List<Secret> secrets = List.copyOf(world.secrets().values());
                if (!secrets.isEmpty()) {
                    world.api.remove(secrets.get(random.nextInt(secrets.size())));
                }
            }
            case 5 -> world.edit(spec -> spec.access.clients = random.nextBoolean() ? List.of(client("x")) : List.of());
            case 6 -> world.pass(Duration.ofDays(random.nextInt(40)));
            case 7 -> world.restartOperator();
            case 8 -> world.coordinatorHeard = random.nextInt(3) > 0;
            case 9 -> world.work();
            default -> {
                world.kubelet();
                world.certManager.work(world.api);
            }
        }
        world.pass(Duration.ofSeconds(random.nextInt(20)));
    }

    private void checkSecrets(boolean asks, long seed) {
        Set<String> processes = new TreeSet<>();
        world.pods().keySet().forEach(pod -> processes.add(pod + "-tls"));
        processes.add("orders-client");
        world.cluster
                .getSpec()
                .access
                .clients
                .forEach(client -> processes.add(Names.clientSecret(World.CLUSTER, client.name)));
        if (asks) {
            processes.add(CertificateSecrets.operator(World.CLUSTER));
        }
        assertThat(world.secrets()).as("seed %d", seed).containsKeys(processes.toArray(String[]::new));
        Set<String> made = new TreeSet<>();
        world.secrets().forEach((name, secret) -> {
            if (CertificateRequests.made(secret)) {
                made.add(name);
                assertThat(secret.getData()).as("seed %d %s", seed, name).doesNotContainKey("connection");
            }
        });
        assertThat(made).as("seed %d", seed).isEqualTo(asks ? processes : Set.of());
        assertThat(world.api.all(Certificate.class).keySet())
                .as("seed %d", seed)
                .isEqualTo(made);
    }

    private static void checkConnections(World world, long seed) throws IOException {
        Map<String, Secret> secrets = world.secrets();
        for (Map.Entry<String, Secret> entry : secrets.entrySet()) {
            String name = entry.getKey();
            if (!name.startsWith("orders-client") || name.endsWith("-connection")) {
                continue;
            }
            Map<String, String> data = CertificateSecrets.data(entry.getValue());
            JsonNode document = connection(world, name);
            assertThat(document.path("certificate").asText())
                    .as("seed %d %s", seed, name)
                    .isEqualTo(data.get("tls.crt"));
            assertThat(document.path("key").asText()).isEqualTo(data.get("tls.key"));
            assertThat(document.path("authorities").asText()).isEqualTo(data.get("ca.crt"));
        }
    }

    private static JsonNode connection(World world, String secret) throws IOException {
        boolean made = CertificateRequests.made(world.secrets().get(secret));
        String holder = made ? secret + "-connection" : secret;
        return new ObjectMapper()
                .readTree(CertificateSecrets.data(world.secrets().get(holder)).get("connection"));
    }

    private String config() {
        return world.api.all(ConfigMap.class).get("orders-config").getData().get("cluster.json");
    }

    private static void use(World world, boolean asks) {
        world.edit(spec -> {
            spec.access.certificates.type = asks ? CertificateSource.CERT_MANAGER : CertificateSource.OPERATOR;
            spec.access.certificates.certManager = asks ? new CertManager() : null;
            if (asks) {
                spec.access.certificates.certManager.issuerRef.name = "our-issuer";
            }
        });
    }

    private static ClientAccessSpec client(String name) {
        ClientAccessSpec client = new ClientAccessSpec();
        client.name = name;
        return client;
    }
}
