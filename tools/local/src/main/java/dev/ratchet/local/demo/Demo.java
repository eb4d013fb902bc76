/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.demo;

import dev.ratchet.local.environment.EnvironmentControl;
import dev.ratchet.local.environment.EnvironmentException;
import dev.ratchet.local.environment.Home;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The demonstration from end to end: environment, cluster, job, and what happens to the cluster meanwhile. The program
 * pauses at three marks; there the cluster grows from 2 workers to 4, loses one to {@code kill -9} while that runs
 * tasks, and shrinks to 2 again. What it started it stops at the end, unless it is to be kept.
 */
public final class Demo {

    private static final Path USUAL_TEXT = Path.of("/usr/share/common-licenses");
    private static final int FEW = 2;
    private static final int MANY = 4;

    /** Long enough that a worker which is killed has something to lose. */
    private static final int PIECE_MILLIS = 100;

    private final EnvironmentControl control;
    private final Path example;
    private final Path commandLine;
    private final PrintStream out;
    private final long startedNanos = System.nanoTime();

    /** @param distribution has the example, its text and the command line */
    public Demo(EnvironmentControl control, Path distribution, PrintStream out) {
        this.control = control;
        this.example = distribution.resolve("examples/word-count");
        this.commandLine = distribution.resolve("bin/ratchet");
        this.out = out;
    }

    /** Runs it; returns the exit code of the program. */
    public int run(Optional<Path> wanted, Optional<Path> output, boolean keep)
            throws EnvironmentException, IOException, InterruptedException {
        Path folder = wanted.orElseGet(() -> Files.isDirectory(USUAL_TEXT) ? USUAL_TEXT : example.resolve("text"));
        if (!Files.isDirectory(folder)) {
            throw new EnvironmentException(2, "there is no folder " + folder + "; name one with text files");
        }
        if (output.isPresent()
                && !Files.isDirectory(output.get().toAbsolutePath().resolveSibling("."))) {
            throw new EnvironmentException(
                    2, "there is no folder for the file " + output.get() + "; name one in a folder");
        }
        boolean started = control.up();
        say(started ? "the environment is up: API server, operator, kubelet" : "the environment was up already");
        Home home = control.home();
        boolean finished = false;
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(home.kubeconfig().toFile()))
                .build()) {
            DemoCluster cluster = new DemoCluster(client, home);
            cluster.apply(example.resolve("cluster.yaml"), FEW);
            say("the cluster " + DemoCluster.NAME + " is ready: a store and " + FEW + " workers");
            int code = count(cluster, folder, output);
            finished = true;
            if (keep) {
                tellHowToLook(home);
            } else if (!started) {
                cluster.delete();
                say("the cluster is deleted; the environment that was up already stays");
            }
            return code;
        } finally {
            if (started && !keep) {
                control.down();
                say(
                        finished
                                ? "the environment is down; run it with --keep to look around"
                                : "the environment is down; its logs are in " + home.directory());
            }
        }
    }

    private int count(DemoCluster cluster, Path folder, Optional<Path> output)
            throws EnvironmentException, IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("sh", commandLine.toString(), "submit"));
        command.addAll(List.of("--connection", cluster.connection().toString()));
        command.addAll(List.of("--jar", Example.program(example).toString()));
        command.addAll(List.of("--class", "dev.ratchet.examples.wordcount.WatchedCount", "--"));
        command.addAll(
                List.of(folder.toAbsolutePath().toString(), "--piece-bytes", Integer.toString(PieceSize.of(folder))));
        command.addAll(List.of("--piece-millis", Integer.toString(PIECE_MILLIS), "--pause-at", "25,50,75"));
        output.ifPresent(
                file -> command.addAll(List.of("--output", file.toAbsolutePath().toString())));
        List<Pod> others = new ArrayList<>();
        List<Mark> marks = List.of(
                new Mark(
                        () -> {
                            cluster.scale(MANY);
                            cluster.awaitWorkers(MANY);
                            say("scaled to " + MANY + " workers: replicas patched from " + FEW + " to " + MANY);
                        },
                        () -> {}),
                new Mark(
                        () -> others.addAll(cluster.otherWorkers()),
                        () -> say("killed " + cluster.busiest(others).kill())),
                new Mark(
                        () -> {
                            cluster.awaitWorkers(MANY);
                            say("the killed worker is back under its name");
                            cluster.scale(FEW);
                            say("replicas patched from " + MANY + " to " + FEW + ": two workers drain");
                        },
                        () -> {}));
        int code = new ProgramRun(command, marks, this::say).run();
        if (code == 0) {
            cluster.awaitWorkers(FEW);
            say("scaled back to " + FEW + " workers");
        }
        return code;
    }

    private void tellHowToLook(Home home) {
        out.println("Look further:");
        out.println("  " + home.kubeconfigExport());
        out.println("  kubectl get computeclusters,computeworkers,computelayouts,pods");
        out.println("  kubectl describe computecluster " + DemoCluster.NAME + "; kubectl logs " + DemoCluster.NAME
                + "-w-0");
        out.println("  kubectl scale computecluster " + DemoCluster.NAME + " --replicas=3");
        out.println("  export RATCHET_CONNECTION=" + home.connection(DemoCluster.NAMESPACE, DemoCluster.NAME));
        out.println("  ./ratchet status");
        out.println("  ./ratchet down");
    }

    private void say(String line) {
        synchronized (out) {
            out.printf("%5.1f s  %s%n", (System.nanoTime() - startedNanos) / 1e9, line);
            out.flush();
        }
    }
}
