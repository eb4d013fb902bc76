/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.cluster.CircuitSpec;
import dev.ratchet.crds.cluster.SqlProgramSpec;
import dev.ratchet.operator.observe.ClusterKey;
import dev.ratchet.operator.world.World;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The ConfigMap of a program, as an API server shows it. */
class ProgramSourcesTest {
    private static final String PATH = "/api/v1/namespaces/team-a/configmaps";

    private final World world = new World();
    private final ApiStub api = new ApiStub();
    private final BlockingQueue<ClusterKey> changed = new LinkedBlockingQueue<>();
    private final ProgramSources sources = new ProgramSources(api.client, changed::add);

    @AfterEach
    void close() {
        sources.forget(ClusterKey.of(world.cluster));
        api.close();
    }

    @Test
    void aClusterWithoutACircuitCostsNoRequest() {
        assertThat(sources.of(world.cluster)).isEmpty();
        assertThat(api.requests).isEmpty();
    }

    @Test
    void theProgramIsReadByItsNameAndWatched() throws InterruptedException {
        api.answer(PATH, 200, """
                {"apiVersion":"v1","kind":"ConfigMapList","metadata":{"resourceVersion":"7"},"items":[
                 {"metadata":{"name":"totals","namespace":"team-a","resourceVersion":"5"},
                  "data":{"program.sql":"CREATE TABLE t (a INT);"}}]}""");
        circuit("totals");
        assertThat(sources.of(world.cluster)).hasValueSatisfying(program -> assertThat(program.getData())
                .containsEntry("program.sql", "CREATE TABLE t (a INT);"));
        assertThat(changed.poll(30, TimeUnit.SECONDS)).as("the first sight").isEqualTo(ClusterKey.of(world.cluster));
        assertThat(api.requests.getFirst()).contains("fieldSelector=metadata.name%3Dtotals");
    }

    @Test
    void anotherNameIsReadAnew() {
        api.answer(PATH, 200, """
                {"apiVersion":"v1","kind":"ConfigMapList","metadata":{"resourceVersion":"7"},"items":[]}""");
        circuit("totals");
        assertThat(sources.of(world.cluster)).isEmpty();
        circuit("sums");
        assertThat(sources.of(world.cluster)).isEmpty();
        assertThat(api.requests).anyMatch(request -> request.contains("fieldSelector=metadata.name%3Dsums"));
    }

    private void circuit(String configMap) {
        CircuitSpec circuit = new CircuitSpec();
        circuit.sql = new SqlProgramSpec();
        circuit.sql.configMapKeyRef.name = configMap;
        circuit.sql.configMapKeyRef.key = "program.sql";
        world.cluster.getSpec().circuit = circuit;
    }
}
