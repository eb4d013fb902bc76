/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.environment;

import dev.ratchet.local.kubelet.ProcessRecord;
import dev.ratchet.local.kubelet.Trees;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The folder of one environment and the names in it.
 *
 * @param directory absolute; mode 0700, because it holds credentials
 */
public record Home(Path directory) {

    /** What a shell takes as it stands. */
    private static final Pattern PLAIN = Pattern.compile("[\\w./:@%+=,-]+");

    public Home {
        directory = directory.toAbsolutePath().normalize();
    }

    public Path kubeconfig() {
        return directory.resolve("kubeconfig");
    }

    /** The line that makes {@code kubectl} in a shell use the environment; the path is quoted where it has to be. */
    public String kubeconfigExport() {
        String path = kubeconfig().toString();
        return "export KUBECONFIG=" + (PLAIN.matcher(path).matches() ? path : "'" + path.replace("'", "'\\''") + "'");
    }

    /** There from the moment at which the environment can be used until it ends. */
    Path ready() {
        return directory.resolve("ready");
    }

    ProcessRecord supervisor() {
        return new ProcessRecord(directory.resolve("supervisor.pid"));
    }

    Path supervisorLog() {
        return directory.resolve("supervisor.log");
    }

    ProcessRecord operator() {
        return new ProcessRecord(directory.resolve("operator.pid"));
    }

    Path operatorLog() {
        return directory.resolve("operator.log");
    }

    /** The process of a container of a pod. */
    public ProcessRecord container(String podUid, String container) {
        return new ProcessRecord(
                directory.resolve("pods").resolve(podUid).resolve("containers").resolve(container + ".pid"));
    }

    /** Where people put distributions of other releases, each under the tag of its images. */
    Path releases() {
        return directory.resolve("releases");
    }

    /** Where people put another build for the operator, which runs it from its next start on. */
    Path operatorRelease() {
        return releases().resolve("operator");
    }

    /** Where the connection of a cluster is put for the command line. */
    public Path connection(String namespace, String cluster) {
        return directory.resolve("connections").resolve(namespace + "." + cluster + ".json");
    }

    /** Deletes what opens anything: of an environment that has ended nothing but logs is of use. */
    void deleteKeys() throws IOException {
        Files.deleteIfExists(kubeconfig());
        Trees.delete(directory.resolve("connections"));
        Path pods = directory.resolve("pods");
        if (Files.isDirectory(pods)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(pods)) {
                for (Path pod : all) {
                    Trees.delete(pod.resolve("volumes"));
                    Trees.delete(pod.resolve("home"));
                }
            }
        }
    }
}
