/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.store;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The directory of an embedded store, from the command line or from the environment of the store's pod. */
final class DataDirectory {

    @Option(names = "--data-dir", paramLabel = "DIR", description = "default $RATCHET_DATA_DIR")
    private @Nullable Path given;

    Path path() {
        return Path.of(Variables.required(given == null ? null : given.toString(), "--data-dir", "RATCHET_DATA_DIR"));
    }

    /** Whether there is a store in a directory, of whatever format. */
    static boolean holdsStore(Path directory) {
        return Files.exists(directory.resolve("STATE"));
    }
}
