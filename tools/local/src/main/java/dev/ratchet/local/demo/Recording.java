/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.demo;

import dev.ratchet.local.environment.EnvironmentControl;
import dev.ratchet.local.environment.EnvironmentException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What operator, store, workers and command line usually do, once, in an environment of its own: a cluster comes, runs
 * a job, tells its status, runs SQL beside it, and goes. The launchers list the classes that the processes load; every
 * process ends by itself, so that its list is whole.
 */
public final class Recording {

    private static final int WORKERS = 2;

    private final EnvironmentControl control;
    private final Path distribution;

    public Recording(EnvironmentControl control, Path distribution) {
        this.control = control;
        this.distribution = distribution;
    }

    /** Runs it; returns the exit code of the first command that fails, or 0. */
    public int run() throws EnvironmentException, IOException, InterruptedException {
        if (!control.up()) {
            throw new EnvironmentException(1, "an environment is up in " + control.home() + " already");
        }
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(control.home().kubeconfig().toFile()))
                .build()) {
            DemoCluster cluster = new DemoCluster(client, control.home());
            Path example = distribution.resolve("examples/word-count");
            cluster.apply(example.resolve("cluster.yaml"), WORKERS);
            int code = commands(example, cluster.connection().toString());
            cluster.delete();
            return code;
        } finally {
            control.down();
        }
    }

    private int commands(Path example, String connection)
            throws EnvironmentException, IOException, InterruptedException {
        Path circuits = distribution.resolve("examples/circuits");
        Path changes = control.home().directory().resolve("changes.jsonl");
        List<List<String>> commands = List.of(
                List.of(
                        "submit",
                        "--connection",
                        connection,
                        "--jar",
                        Example.program(example).toString(),
                        "--class",
                        "dev.ratchet.examples.wordcount.WordCount",
                        "--",
                        example.resolve("text").toString()),
                List.of("status", "--connection", connection),
                List.of("futures", "list", "--connection", connection),
                List.of(
                        "circuit",
                        "run",
                        "--sql",
                        circuits.resolve("orders.sql").toString(),
                        "--in",
                        circuits.resolve("orders.jsonl").toString(),
                        "--out",
                        changes.toString()));
        for (List<String> command : commands) {
            List<String> whole = new ArrayList<>(
                    List.of("sh", distribution.resolve("bin/ratchet").toString()));
            whole.addAll(command);
            int code = new ProcessBuilder(whole).inheritIO().start().waitFor();
            if (code != 0) {
                return code;
            }
        }
        return 0;
    }
}
