/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ratchet.membership.LeaseSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerSettingsTest {

    @TempDir
    Path directory;

    private Map<String, String> environment;

    @BeforeEach
    void usable() {
        environment = new HashMap<>(Map.of(
                "RATCHET_CLUSTER", "orders",
                "RATCHET_NAMESPACE", "team-a",
                "RATCHET_SEAT", "orders-w-0",
                "RATCHET_POD_UID", "1a2b",
                "RATCHET_POD_IP", "127.0.0.9",
                "RATCHET_HOST", "node-7",
                "RATCHET_THREADS", "4",
                "RATCHET_OBJECT_STORE_MEMORY_BYTES", "1048576",
                "RATCHET_OBJECT_STORE_SPILL_BYTES", "0"));
        environment.put("RATCHET_DRAIN_TIMEOUT_MILLIS", "60000");
        for (String name : List.of("CONFIG", "TLS", "DATA", "TEMP")) {
            environment.put("RATCHET_" + name + "_DIR", directory.toString());
        }
    }

    @Test
    void aCompleteEnvironmentIsTakenAsItIs() {
        WorkerSettings settings = WorkerSettings.from(environment);
        assertThat(settings.seat()).isEqualTo("orders-w-0");
        assertThat(settings.address().getHostAddress()).isEqualTo("127.0.0.9");
        assertThat(settings.threads()).isEqualTo(4);
        assertThat(settings.owner()).isEqualTo("team-a/orders");
    }

    @Test
    void everyMistakeIsNamedAtOnceWithItsValueAndWhatIsWanted() {
        environment.put("RATCHET_THREADS", "0");
        environment.put("RATCHET_POD_IP", "worker.example");
        environment.put("RATCHET_SEAT", "Orders_0");
        environment.put("RATCHET_TLS_DIR", "/no/such/directory");
        environment.remove("RATCHET_HOST");
        environment.put("RATCHET_DRAIN_TIMEOUT_MILLIS", "1m");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> WorkerSettings.from(environment))
                .satisfies(refused -> assertThat(refused.mistakes())
                        .containsExactlyInAnyOrder(
                                "RATCHET_SEAT is 'Orders_0', which is not a Kubernetes name of at most 253 characters",
                                "RATCHET_POD_IP is 'worker.example', which is not an IP address",
                                "RATCHET_HOST is not set: set it as the operator does for container 'worker'",
                                "RATCHET_TLS_DIR is '/no/such/directory', which is not a directory",
                                "RATCHET_THREADS is '0', which is not a whole number from 1 to 4096",
                                "RATCHET_DRAIN_TIMEOUT_MILLIS is '1m', which is not a whole number from 0 to"
                                        + " 2592000000"));
    }

    @Test
    void aLeaseIsAsItIsToldAsLongAsItIsSafe() {
        environment.put("RATCHET_LEASE", "beatMillis=500, workerTtlMillis=4000,killWaitMillis=2000");
        WorkerSettings settings = WorkerSettings.from(environment);
        assertThat(settings.lease()).isEqualTo(new LeaseSettings(500, 4_000, 2_000, 2_000, 1_000, 20_000, 10, 30_000));
        assertThat(settings.isolation().graceMillis()).isEqualTo(2_000);
        assertThat(mistakesWith("RATCHET_LEASE", "workerTtlMillis=30000"))
                .anyMatch(line -> line.startsWith("RATCHET_LEASE is 'workerTtlMillis=30000': Unsafe lease"));
        assertThat(mistakesWith("RATCHET_LEASE", "beat=1s"))
                .contains("RATCHET_LEASE has 'beat=1s', which is not <name>=<number>");
        assertThat(mistakesWith("RATCHET_LEASE", "beat=1000"))
                .contains("RATCHET_LEASE is 'beat=1000': A lease has no setting beat");
    }

    @Test
    void limitsOfClientsAreAsTheyAreTold() {
        environment.put("RATCHET_CLIENT_LIMITS", "callsPerSecond=5,openCalls=7");
        assertThat(WorkerSettings.from(environment).clientLimits()).isEqualTo(new ClientLimits(5, 7));
        assertThat(mistakesWith("RATCHET_CLIENT_LIMITS", "openCalls=0"))
                .containsExactly("RATCHET_CLIENT_LIMITS is 'openCalls=0': openCalls must be from 1 to 1000000000");
        assertThat(mistakesWith("RATCHET_CLIENT_LIMITS", "calls=1"))
                .anyMatch(line -> line.contains("those are callsPerSecond and openCalls"));
    }

    @Test
    void labelsAreThoseThatSessionsMayRequire() {
        assertThat(WorkerSettings.from(environment).labels()).isEmpty();
        environment.put("RATCHET_LABELS", "zone=eu-1a, example.com/disk=ssd=fast,spare=");
        assertThat(WorkerSettings.from(environment).labels())
                .isEqualTo(Map.of("zone", "eu-1a", "example.com/disk", "ssd=fast", "spare", ""));
        assertThat(mistakesWith("RATCHET_LABELS", "zone"))
                .containsExactly("RATCHET_LABELS has 'zone', which is not <key>=<value> with a key of its own");
        assertThat(mistakesWith("RATCHET_LABELS", "zone=a,zone=b"))
                .containsExactly("RATCHET_LABELS has 'zone=b', which is not <key>=<value> with a key of its own");
        assertThat(mistakesWith("RATCHET_LABELS", "no key=a"))
                .anyMatch(line -> line.startsWith("RATCHET_LABELS is 'no key=a': The key of a label"));
        String tooMany = IntStream.range(0, 17).mapToObj(i -> "k" + i + "=v").collect(Collectors.joining(","));
        assertThat(mistakesWith("RATCHET_LABELS", tooMany)).anyMatch(line -> line.contains("at most 16 labels"));
    }

    @Test
    void addressesOfWorkersAreCheckedUnlessItIsToldOtherwise() {
        assertThat(WorkerSettings.from(environment).checksPeerAddresses()).isTrue();
        environment.put("RATCHET_CHECK_PEER_ADDRESSES", "false");
        assertThat(WorkerSettings.from(environment).checksPeerAddresses()).isFalse();
        assertThat(mistakesWith("RATCHET_CHECK_PEER_ADDRESSES", "no"))
                .containsExactly("RATCHET_CHECK_PEER_ADDRESSES is 'no', which is neither true nor false");
    }

    @Test
    void noIsolatedTaskMayOutliveTheLeaseOfItsWorker() {
        assertThat(mistakesWith("RATCHET_KILL_GRACE_MILLIS", "5001"))
                .containsExactly("RATCHET_KILL_GRACE_MILLIS is '5001', which is not a whole number from 0 to 5000");
    }

    private List<String> mistakesWith(String variable, String value) {
        Map<String, String> changed = new HashMap<>(environment);
        changed.put(variable, value);
        return catchThrowableOfType(ConfigurationException.class, () -> WorkerSettings.from(changed))
                .mistakes();
    }

    @Test
    void aConfigurationForAnotherClusterIsRefused() throws IOException {
        Files.writeString(directory.resolve("cluster.json"), """
                {"cluster":"bills","namespace":"team-a",
                 "store":{"type":"Embedded","address":"10.96.0.7:7401","subspace":"x"}}""");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkerSettings.from(environment).clusterConfiguration())
                .withMessageContaining("is for cluster team-a/bills, this process belongs to team-a/orders");
    }

    @Test
    void anEmptyEnvironmentIsRefusedVariableByVariable() {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> WorkerSettings.from(Map.of()))
                .satisfies(refused ->
                        assertThat(refused.mistakes()).hasSize(14).allMatch(line -> line.contains("is not set")));
    }
}
