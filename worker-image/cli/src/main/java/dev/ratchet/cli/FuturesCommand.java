/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import picocli.CommandLine.Command;

/** {@code ratchet futures}: looks at futures and ends them. */
@Command(
        name = "futures",
        description = "Lists, shows, cancels, kills and deletes futures.",
        mixinStandardHelpOptions = true,
        subcommands = {
            FuturesListCommand.class,
            FuturesShowCommand.class,
            FuturesTreeCommand.class,
            FuturesEndCommand.Cancel.class,
            FuturesEndCommand.Kill.class,
            FuturesDeleteCommand.class,
            FuturesRetentionCommand.class
        })
final class FuturesCommand {}
