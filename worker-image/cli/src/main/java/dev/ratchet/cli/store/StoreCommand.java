/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.store;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ratchet store …}: what is done to a store as a whole. */
@Command(
        name = "store",
        description = "Serves, backs up, restores, converts or clears the store of a cluster.",
        mixinStandardHelpOptions = true,
        subcommands = {
            ServeCommand.class,
            BackupCommand.class,
            RestoreCommand.class,
            ConvertCommand.class,
            FenceCommand.class,
            ClearCommand.class
        })
public final class StoreCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return 2;
    }
}
