/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.cli.circuit.ExplainCommand;
import dev.ratchet.cli.circuit.RunCommand;
import picocli.CommandLine.Command;

/** {@code ratchet circuit}: SQL programs whose views follow their tables change by change, here and on a cluster. */
@Command(
        name = "circuit",
        description = "Runs an SQL program on this machine, or feeds and reads the circuit of a cluster.",
        mixinStandardHelpOptions = true,
        subcommands = {
            RunCommand.class,
            ExplainCommand.class,
            CircuitUploadCommand.class,
            CircuitPushCommand.class,
            CircuitWatchCommand.class,
            CircuitQueryCommand.class,
            CircuitStatusCommand.class
        })
final class CircuitCommand {

    /** {@code kubectl ratchet circuit}: of these, what a cluster is asked. */
    @Command(
            name = "circuit",
            description = "Feeds and reads the circuit of a cluster.",
            mixinStandardHelpOptions = true,
            subcommands = {
                CircuitUploadCommand.class,
                CircuitPushCommand.class,
                CircuitWatchCommand.class,
                CircuitQueryCommand.class,
                CircuitStatusCommand.class
            })
    static final class OfCluster {}
}
