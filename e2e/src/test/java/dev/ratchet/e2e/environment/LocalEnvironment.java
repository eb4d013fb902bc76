/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.environment;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `./ratchet up` with a state directory of its own, so that it leaves a developer's environment alone. */
public final class LocalEnvironment extends TestEnvironment {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern EXPORT = Pattern.compile("export KUBECONFIG=(\\S+)");

    private static final Pattern METRICS_PORT = Pattern.compile("health and metrics on port (\\d+)");

    private final Path home;

    private LocalEnvironment(Path home, Path kubeconfig) {
        super("local", kubeconfig);
        this.home = home;
    }

    static LocalEnvironment start() {
        try {
            Path home = Files.createTempDirectory("ratchet-e2e");
            String output = ratchet(home, "up").succeeded();
            Matcher matcher = EXPORT.matcher(output);
            if (!matcher.find()) {
                throw new AssertionError("./ratchet up printed no export line:\n" + output);
            }
            return new LocalEnvironment(home, Path.of(matcher.group(1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Command ratchet(Path home, String word) {
        return Command.run(
                Map.of("RATCHET_HOME", home.toString()),
                "",
                List.of(ROOT.resolve("ratchet").toString(), word));
    }

    /** From now on images of the tag {@code version} are the build in {@code distribution}. */
    public void install(String version, Path distribution) {
        link("releases/" + version, distribution);
    }

    /** Ends the operator; from now on it is the one of {@code distribution}. */
    public void replaceOperator(Path distribution) {
        link("releases/operator", distribution);
        killOperator();
    }

    /** Where the volumes of a pod are: configuration, certificates, data. */
    public Path volumes(Pod pod) {
        return home.resolve("pods").resolve(pod.getMetadata().getUid()).resolve("volumes");
    }

    private void link(String name, Path distribution) {
        try {
            Path link = home.resolve(name);
            Files.createDirectories(link.getParent());
            Path fresh = Files.createSymbolicLink(link.resolveSibling(link.getFileName() + ".new"), distribution);
            Files.move(fresh, link, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean enforcesRules() {
        return true;
    }

    @Override
    public void killOperator() {
        kill(home.resolve("operator.pid"));
    }

    @Override
    public void kill(Pod pod) {
        kill(home.resolve("pods")
                .resolve(pod.getMetadata().getUid())
                .resolve("containers")
                .resolve(pod.getSpec().getContainers().get(0).getName() + ".pid"));
    }

    /** Pid files hold the pid and the start time that tells one process of a pid from the next. */
    private static void kill(Path pidFile) {
        try {
            long pid = new Scanner(Files.readString(pidFile)).nextLong();
            ProcessHandle.of(pid)
                    .orElseThrow(() -> new AssertionError("no process " + pid + " of " + pidFile))
                    .destroyForcibly();
        } catch (IOException e) {
            throw new UncheckedIOException("no pid in " + pidFile, e);
        }
    }

    @Override
    public String operatorLog() {
        try {
            return Files.readString(home.resolve("operator.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<String> operatorAddresses() {
        Matcher port = METRICS_PORT.matcher(operatorLog());
        String last = null;
        while (port.find()) {
            last = port.group(1);
        }
        return List.of("127.0.0.1:" + last);
    }

    @Override
    public void close() {
        client().close();
        ratchet(home, "down").succeeded();
    }
}
