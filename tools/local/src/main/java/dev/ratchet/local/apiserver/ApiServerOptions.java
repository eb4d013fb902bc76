/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver;

import java.nio.file.Path;

/**
 * What an {@link ApiServer} is started with.
 *
 * @param kubeconfig where the kubeconfig is written (mode 0600, replaced if it exists); the folder is made if it is
 *     absent
 * @param port TCP port on 127.0.0.1; 0 lets the system choose
 * @param watchHistory changes kept per kind for watches that resume, at least 1; one that resumes from before gets 410
 *     Gone
 */
public record ApiServerOptions(Path kubeconfig, int port, int watchHistory) {

    private static final int DEFAULT_WATCH_HISTORY = 4_096;

    public ApiServerOptions {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port " + port + " is not within 0..65535; use 0 for any free port");
        }
        if (watchHistory < 1) {
            throw new IllegalArgumentException("watchHistory " + watchHistory + " is less than 1");
        }
        kubeconfig = kubeconfig.toAbsolutePath().normalize();
    }

    /** A server on any free port that writes its kubeconfig to {@code kubeconfig}. */
    public static ApiServerOptions at(Path kubeconfig) {
        return new ApiServerOptions(kubeconfig, 0, DEFAULT_WATCH_HISTORY);
    }

    public ApiServerOptions withPort(int newPort) {
        return new ApiServerOptions(kubeconfig, newPort, watchHistory);
    }

    public ApiServerOptions withWatchHistory(int changes) {
        return new ApiServerOptions(kubeconfig, port, changes);
    }
}
