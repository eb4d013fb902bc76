/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.environment;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Makes the environment of this run once and closes it when the JVM ends. */
final class Environments {

    private static @Nullable TestEnvironment current;

    private Environments() {}

    static synchronized TestEnvironment current() {
        if (current == null) {
            String name = System.getProperty("ratchet.environment", "local");
            TestEnvironment made =
                    switch (name) {
                        case "local" -> LocalEnvironment.start();
                        case "kubernetes" -> KubernetesEnvironment.install(Path.of(kubeconfig()));
                        default ->
                            throw new IllegalArgumentException(
                                    "ratchet.environment is '" + name + "'; there are local and kubernetes");
                    };
            Runtime.getRuntime().addShutdownHook(new Thread(made::close, "close-environment"));
            current = made;
        }
        return current;
    }

    private static String kubeconfig() {
        String path = System.getenv("KUBECONFIG");
        if (path == null || path.isBlank()) {
            throw new IllegalArgumentException("the environment kubernetes needs KUBECONFIG");
        }
        return path;
    }
}
