/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ratchet completion SHELL}: the script that teaches a shell the words of this command line. */
@Command(
        name = "completion",
        description = "Prints the script with which a shell completes words: source <(ratchet completion bash)",
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Runnable {

    enum Shell {
        bash,
        zsh,
        fish
    }

    /** Fish has no such script by picocli; it asks, and names files where nothing is known. */
    private static final String FISH = """
            function __ratchet_complete
                set -l words (ratchet __complete -- (commandline -opc)[2..] (commandline -ct))
                if test (count $words) -gt 0
                    printf '%s\\n' $words
                else
                    __fish_complete_path (commandline -ct)
                end
            end
            complete -c ratchet -f -a '(__ratchet_complete)'
            """;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish")
    private Shell shell;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                shell == Shell.fish
                        ? FISH
                        : AutoComplete.bash("ratchet", spec.root().commandLine()) + "\n");
        out.flush();
    }
}
