/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.circuit;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ratchet circuit}: SQL programs whose views follow their tables change by change. */
@Command(
        name = "circuit",
        description = "Runs an SQL program incrementally on this machine.",
        mixinStandardHelpOptions = true,
        subcommands = {RunCommand.class, ExplainCommand.class})
public final class CircuitCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return 2;
    }
}
