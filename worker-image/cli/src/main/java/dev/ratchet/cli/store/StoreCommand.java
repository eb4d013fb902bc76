/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.store;

import picocli.CommandLine.Command;

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
public final class StoreCommand {}
