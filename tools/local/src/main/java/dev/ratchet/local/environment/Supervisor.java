/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.environment;

import dev.ratchet.local.apiserver.ApiServer;
import dev.ratchet.local.apiserver.ApiServerOptions;
import dev.ratchet.local.kubelet.ImageFolders;
import dev.ratchet.local.kubelet.Kubelet;
import dev.ratchet.local.kubelet.KubeletOptions;
import dev.ratchet.local.proxy.ServiceNetwork;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process that is the environment: it owns API server, kubelet, service network and the operator's process, started
 * in this order and closed in the reverse one. All state is in its memory, so an environment that is started anew is
 * empty.
 */
public final class Supervisor implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
    private static final List<String> DEFINITIONS = List.of("computeclusters", "computeworkers", "computelayouts");
    private static final long DEFINED_LIMIT_SECONDS = 30;
    private static final long CLOSE_LIMIT_SECONDS = 25;

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    private Supervisor() {}

    /**
     * Runs an environment until this process is told to end (TERM); the JVM then waits for everything to be closed.
     *
     * @param home where everything is kept
     * @param distribution what {@code /opt/ratchet} stands for
     * @param nodes how many nodes pods are placed on
     */
    public static void run(Home home, Path distribution, int nodes) throws IOException, InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> awaitClosed(end, closed), "shutdown"));
        try (Supervisor supervisor = new Supervisor()) {
            supervisor.start(home, distribution, nodes);
            Files.writeString(home.ready(), ProcessHandle.current().pid() + "\n");
            LOG.info("the environment is ready: home={} distribution={}", home.directory(), distribution);
            end.await();
            Files.deleteIfExists(home.ready());
        } finally {
            closed.countDown();
        }
    }

    private static void awaitClosed(CountDownLatch end, CountDownLatch closed) {
        end.countDown();
        try {
            if (!closed.await(CLOSE_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("the environment did not close in time: limitSeconds={}", CLOSE_LIMIT_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void start(Home home, Path distribution, int nodes) throws IOException {
        ApiServer server = opened(ApiServer.start(ApiServerOptions.at(home.kubeconfig())));
        KubernetesClient client = opened(new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(home.kubeconfig().toFile()))
                .build());
        define(client);
        KubeletOptions options = KubeletOptions.of(
                        home.directory(), ImageFolders.of(distribution, home.releases()), variables())
                .withNodes(nodes);
        Kubelet kubelet = opened(Kubelet.start(client, options));
        server.register(kubelet.logs());
        opened(ServiceNetwork.start(client));
        Map<String, String> variables = new HashMap<>(variables());
        variables.put("KUBECONFIG", home.kubeconfig().toString());
        variables.put("HOME", home.directory().toString());
        variables.put("POD_NAME", "local-operator");
        variables.put("RATCHET_LEADER_ELECTION", "false");
        variables.put("RATCHET_HTTP_ADDRESS", "127.0.0.1");
        variables.put("RATCHET_HTTP_PORT", "0");
        OperatorProcess operator = opened(new OperatorProcess(home, () -> operator(home, distribution), variables));
        operator.start();
    }

    /** The command of the operator: of the build that people put there for it, if they did. */
    private static List<String> operator(Home home, Path distribution) {
        Path other = home.operatorRelease();
        Path release = Files.isDirectory(other) ? other : distribution;
        return List.of("sh", release.resolve("bin/operator").toString());
    }

    private <T extends AutoCloseable> T opened(T part) {
        parts.push(part);
        return part;
    }

    private static void define(KubernetesClient client) throws IOException {
        for (String plural : DEFINITIONS) {
            String file = "/dev/ratchet/crds/" + plural + ".ratchet.dev.yaml";
            try (InputStream yaml = Supervisor.class.getResourceAsStream(file)) {
                if (yaml == null) {
                    throw new IOException("the definition " + file + " is missing from the class path");
                }
                client.load(yaml).serverSideApply();
            }
        }
        for (String plural : DEFINITIONS) {
            client.apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName(plural + ".ratchet.dev")
                    .waitUntilCondition(
                            definition -> definition != null
                                    && definition.getStatus() != null
                                    && definition.getStatus().getConditions().stream()
                                            .anyMatch(condition -> condition
                                                            .getType()
                                                            .equals("Established")
                                                    && condition.getStatus().equals("True")),
                            DEFINED_LIMIT_SECONDS,
                            TimeUnit.SECONDS);
        }
    }

    /** What every process is given of this one's environment. */
    private static Map<String, String> variables() {
        Map<String, String> variables = new HashMap<>();
        for (String name : List.of(
                "PATH", "LANG", "LC_ALL", "TZ", "RATCHET_LOG_LEVEL", "RATCHET_LOG_FORMAT", "RATCHET_CLASS_LISTS")) {
            String value = System.getenv(name);
            if (value != null) {
                variables.put(name, value);
            }
        }
        variables.put("RATCHET_JAVA_HOME", System.getProperty("java.home"));
        return variables;
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.warn(
                        "a part of the environment did not close: part={}",
                        part.getClass().getSimpleName(),
                        e);
            }
        }
    }
}
