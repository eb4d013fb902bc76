/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.store;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ratchet store …}: what is done to a store as a whole. */
@Command(
        name = "store",
        description = "Serves a store, clears a cluster's part of it.",
        mixinStandardHelpOptions = true,
        subcommands = {ServeCommand.class, ClearCommand.class})
public final class StoreCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return 2;
    }
}
