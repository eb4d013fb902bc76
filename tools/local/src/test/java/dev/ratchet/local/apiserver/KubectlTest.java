/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ratchet.local.conformance.Api;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A stock kubectl, old and new, works with our resources and with pods. */
class KubectlTest {

    private static final String CLUSTER = """
            apiVersion: ratchet.dev/v1alpha1
            kind: ComputeCluster
            metadata: {name: orders}
            spec:
              version: 1.4.0
              store: {type: Embedded, embedded: {storage: {size: 1Gi}}}
              workers: {replicas: 2, threads: 2}
            """;
    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: p, labels: {app: a}}
            spec:
              nodeName: local
              containers:
              - {name: c, image: "ratchet/worker:1", env: [{name: A, value: b}]}
            """;

    @TempDir
    static Path folder;

    private static ApiServer server;
    private static Api api;

    private Kubectl kubectl = Kubectl.FROM_PATH;
    private String namespace = "";

    @BeforeAll
    static void start() throws IOException {
        server = ApiServer.start(ApiServerOptions.at(folder.resolve("kubeconfig")));
        api = Api.of(server.kubeconfig());
        for (String kind : new String[] {"computeclusters", "computeworkers", "computelayouts"}) {
            try (InputStream in =
                    KubectlTest.class.getResourceAsStream("/dev/ratchet/crds/" + kind + ".ratchet.dev.yaml")) {
                var reply = api.post(
                        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                        new String(in.readAllBytes(), StandardCharsets.UTF_8));
                assertThat(reply.code()).as(reply.message()).isEqualTo(201);
            }
        }
    }

    @AfterAll
    static void stop() throws IOException {
        api.close();
        server.close();
    }

    private Kubectl.Result run(String input, String... arguments) throws IOException, InterruptedException {
        String[] all = new String[arguments.length + 2];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "--namespace";
        all[arguments.length + 1] = namespace;
        return kubectl.run(server.kubeconfig(), Files.createDirectories(folder.resolve("home-" + kubectl)), input, all);
    }

    private void use(Kubectl chosen, String purpose) {
        assumeTrue(chosen.find().isPresent(), () -> "SKIPPED: there is no kubectl " + chosen + " on this machine");
        kubectl = chosen;
        namespace = purpose + (chosen == Kubectl.FROM_PATH ? "-path" : "-old");
        assertThat(api.post("/api/v1/namespaces", "{metadata: {name: " + namespace + "}}")
                        .code())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @EnumSource
    void aClusterLivesItsLife(Kubectl chosen) throws Exception {
        use(chosen, "life");
        assertThat(run(CLUSTER, "apply", "-f", "-").ok().text()).contains("computecluster.ratchet.dev/orders created");
        assertThat(run(CLUSTER, "apply", "-f", "-").ok().text()).contains("unchanged");
        assertThat(run("", "get", "rcc").ok().text())
                .contains("NAME", "DESIRED", "AGE")
                .containsPattern("orders +2 ");
        assertThat(run("", "get", "ratchet", "-o", "name").ok().text())
                .isEqualTo("computecluster.ratchet.dev/orders\n");
        run("", "scale", "rcc", "orders", "--replicas=3").ok();
        assertThat(run("", "edit", "rcc", "orders").ok().text()).contains("edited");
        assertThat(run("", "get", "rcc", "orders", "-o", "jsonpath={.spec.workers.replicas}")
                        .ok()
                        .text())
                .isEqualTo("5");
        run("", "patch", "rcc", "orders", "--type=merge", "-p", "{\"spec\":{\"workers\":{\"replicas\":6}}}")
                .ok();
        run(
                        "",
                        "patch",
                        "rcc",
                        "orders",
                        "--type=json",
                        "-p",
                        "[{\"op\":\"test\",\"path\":\"/spec/workers/replicas\",\"value\":6}]")
                .ok();
        assertThat(run("", "describe", "rcc", "orders").ok().text())
                .contains("Replicas:", "Deletion Policy:", "Events:");
        run("", "label", "rcc", "orders", "a=b").ok();
        run("", "annotate", "rcc", "orders", "c=d").ok();
        assertThat(run("", "get", "rcc", "-l", "a=b", "--show-labels").ok().text())
                .contains("a=b");
        assertThat(run("", "delete", "rcc", "orders").ok().text()).contains("deleted");
        assertThat(run("", "get", "rcc", "orders").code()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void fieldsAreExplained(Kubectl chosen) throws Exception {
        use(chosen, "explain");
        assertThat(run("", "explain", "computeclusters.spec.workers").ok().text())
                .contains("replicas", "<integer>", "Number of workers wanted");
        assertThat(run("", "explain", "computelayout").ok().text()).contains("ComputeLayout", "spec", "status");
        assertThat(run("", "explain", "pods.spec.containers.ports").ok().text()).contains("containerPort", "<integer>");
        assertThat(run("", "explain", "rcc", "--recursive").ok().text()).contains("drainTimeoutMillis");
    }

    @ParameterizedTest
    @EnumSource
    void badInputIsRefusedWithAMessageThatNamesIt(Kubectl chosen) throws Exception {
        use(chosen, "bad");
        assertThat(refused(CLUSTER.replace("replicas: 2", "replicas: 1001")))
                .contains("spec.workers.replicas")
                .contains("should be less than or equal to 1000");
        assertThat(refused(CLUSTER.replace("threads: 2", "threads: 0"))).contains("spec.workers.threads");
        assertThat(refused(CLUSTER.replace("type: Embedded", "type: Sqlite")))
                .contains("spec.store.type")
                .contains("Unsupported value: \"Sqlite\"");
        assertThat(refused(CLUSTER.replace("size: 1Gi", "size: much"))).contains("spec.store.embedded.storage.size");
        assertThat(refused(CLUSTER.replace(
                        "type: Embedded,",
                        "type: Embedded, foundationDB: {clusterFile: {secretKeyRef: {name: a, key: b}}},")))
                .contains("spec.store");
        assertThat(refused(CLUSTER.replace("name: orders", "name: " + "o".repeat(41))))
                .contains("40");
        assertThat(refused(CLUSTER.replace("threads: 2", "threads: 2, thraeds: 3")))
                .contains("unknown field")
                .contains("thraeds");
        run(CLUSTER, "apply", "-f", "-").ok();
        assertThat(refused(CLUSTER.replace(
                        "type: Embedded, embedded: {storage: {size: 1Gi}}",
                        "type: FoundationDB, embedded: null, foundationDB: {clusterFile: "
                                + "{secretKeyRef: {name: a, key: b}}}")))
                .contains("can not be changed");
    }

    private String refused(String yaml) throws IOException, InterruptedException {
        Kubectl.Result result = run(yaml, "apply", "-f", "-");
        assertThat(result.code()).as(result.text()).isNotZero();
        return result.text();
    }

    @ParameterizedTest
    @EnumSource
    void aPodIsSeenAndGoesWhenItsNodeLetsItGo(Kubectl chosen) throws Exception {
        use(chosen, "pods");
        server.register((request, sink) -> {
            sink.write(("one of " + request.container() + "\n").getBytes(StandardCharsets.UTF_8));
            sink.flush();
            if (request.follow()) {
                sink.write("two\n".getBytes(StandardCharsets.UTF_8));
            }
        });
        run(POD, "apply", "-f", "-").ok();
        String path = "/api/v1/namespaces/" + namespace + "/pods/p";
        api.patch(
                "merge",
                path + "/status",
                "{status: {phase: Running, podIP: 127.1.1.1, conditions: [{type: Ready, status: 'True'}],"
                        + " containerStatuses: [{name: c, ready: true, restartCount: 2, image: "
                        + "'ratchet/worker:1', imageID: '', state: {running: {startedAt: "
                        + "'2026-01-01T00:00:00Z'}}}]}}");
        assertThat(run("", "get", "pods", "-o", "wide").ok().text()).contains("1/1", "Running", "127.1.1.1", "local");
        run("", "wait", "--for=condition=Ready", "pod/p", "--timeout=30s").ok();
        assertThat(run("", "logs", "p").ok().text()).isEqualTo("one of c\n");
        assertThat(run("", "logs", "-f", "p").ok().text()).isEqualTo("one of c\ntwo\n");
        assertThat(run("", "logs", "p", "-c", "other").code()).isNotZero();
        assertThat(run("", "exec", "--namespace", namespace, "p", "--", "date").text())
                .contains("the local environment has no exec", "127.1.1.1", "docs/local.md");
        assertThat(run("", "port-forward", "p", ":7400").text()).contains("connect to 127.1.1.1 itself");
        assertThat(run("", "describe", "pod", "p").ok().text()).contains("Restart Count:  2", "Running");
        assertThat(run(POD.replace("value: b", "value: c"), "apply", "-f", "-").text())
                .contains("pod updates may not change fields");
        Thread node = Thread.ofVirtual().start(() -> {
            await().atMost(Duration.ofSeconds(50)).until(() -> !api.get(path)
                    .at("/metadata/deletionTimestamp")
                    .asText()
                    .isEmpty());
            api.delete(path, "{gracePeriodSeconds: 0}");
        });
        assertThat(run("", "delete", "pod", "p").ok().text()).contains("pod \"p\" deleted");
        node.join();
    }

    @ParameterizedTest
    @EnumSource
    void aWatchShowsWhatHappens(Kubectl chosen) throws Exception {
        use(chosen, "watch");
        run(CLUSTER, "apply", "-f", "-").ok();
        Path home = Files.createDirectories(folder.resolve("home-" + kubectl));
        Path output = Files.createTempFile(home, "watch", ".out");
        Process watch =
                kubectl.start(server.kubeconfig(), home, output, "get", "rcc", "--watch", "--namespace", namespace);
        try {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> Files.readString(output).contains("orders"));
            run("", "scale", "rcc", "orders", "--replicas=77").ok();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> Files.readString(output).contains("77"));
        } finally {
            watch.destroy();
        }
        assertThat(watch.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aDeletedNamespaceIsWaitedFor(Kubectl chosen) throws Exception {
        use(chosen, "gone");
        run(CLUSTER, "apply", "-f", "-").ok();
        run("", "delete", "namespace", namespace).ok();
        assertThat(api.get("/api/v1/namespaces/" + namespace).code()).isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource
    void applyOnTheServerTellsConflicts(Kubectl chosen) throws Exception {
        use(chosen, "apply");
        run(CLUSTER, "apply", "--server-side", "--field-manager=one", "-f", "-").ok();
        Kubectl.Result conflict = run(
                CLUSTER.replace("replicas: 2", "replicas: 4"),
                "apply",
                "--server-side",
                "--field-manager=two",
                "-f",
                "-");
        assertThat(conflict.code()).isNotZero();
        assertThat(conflict.text()).contains("conflict with \"one\"").contains(".spec.workers.replicas");
        run(
                        CLUSTER.replace("replicas: 2", "replicas: 4"),
                        "apply",
                        "--server-side",
                        "--force-conflicts",
                        "--field-manager=two",
                        "-f",
                        "-")
                .ok();
    }

    @ParameterizedTest
    @EnumSource
    void whatKubectlMakesItselfIsTaken(Kubectl chosen) throws Exception {
        use(chosen, "make");
        run("", "create", "configmap", "c", "--from-literal=a=b").ok();
        run("", "create", "secret", "generic", "s", "--from-literal=a=b").ok();
        run("", "create", "serviceaccount", "sa").ok();
        run("", "create", "role", "r", "--verb=get", "--resource=pods").ok();
        run("", "create", "rolebinding", "rb", "--role=r", "--serviceaccount=" + namespace + ":sa")
                .ok();
        run("", "create", "service", "clusterip", "svc", "--tcp=80:8080").ok();
        run("", "create", "namespace", namespace + "-more").ok();
        assertThat(run("", "auth", "can-i", "create", "pods").ok().text()).contains("yes");
        assertThat(run("", "get", "configmap", "c", "-o", "jsonpath={.data.a}")
                        .ok()
                        .text())
                .isEqualTo("b");
        assertThat(run("", "get", "secret", "s", "-o", "jsonpath={.data.a}")
                        .ok()
                        .text())
                .isEqualTo("Yg==");
        assertThat(run("", "get", "role", "r", "-o", "jsonpath={.rules[0].resources[0]}")
                        .ok()
                        .text())
                .isEqualTo("pods");
        assertThat(run("", "get", "service", "svc", "-o", "jsonpath={.spec.ports[0].targetPort}")
                        .ok()
                        .text())
                .isEqualTo("8080");
    }
}
