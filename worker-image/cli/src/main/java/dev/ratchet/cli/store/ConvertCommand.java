/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.store;

import dev.ratchet.store.EmbeddedStore;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code ratchet store convert}: rewrites the directory of a stopped store in the format of this release. A directory
 * of the format before is served as it is until somebody asks for this, so that one can go back to the release before.
 */
@Command(
        name = "convert",
        description = "Rewrites the directory of an embedded store that is stopped in the format of this release.",
        mixinStandardHelpOptions = true)
final class ConvertCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private DataDirectory data;

    @Override
    public Integer call() {
        Path directory = data.path();
        if (!DataDirectory.holdsStore(directory)) {
            throw new IllegalArgumentException(directory + " holds no store");
        }
        int format = EmbeddedStore.convert(directory);
        spec.commandLine().getOut().println("Converted " + directory + " from format " + format);
        spec.commandLine().getOut().flush();
        return 0;
    }
}
