/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.circuit;

import picocli.CommandLine.Command;

/** {@code ratchet circuit}: SQL programs whose views follow their tables change by change. */
@Command(
        name = "circuit",
        description = "Runs an SQL program incrementally on this machine.",
        mixinStandardHelpOptions = true,
        subcommands = {RunCommand.class, ExplainCommand.class})
public final class CircuitCommand {}
