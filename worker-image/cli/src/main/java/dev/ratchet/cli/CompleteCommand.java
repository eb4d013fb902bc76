/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * What a word of a command line may become, for shells that ask: the last of the words is the one that is being typed,
 * and may be empty.
 */
@Command(name = "__complete", hidden = true, description = "Prints what the last of some words may become.")
final class CompleteCommand implements Runnable {

    /** For kubectl: these words, and no names of files. */
    private static final String NO_FILES = ":4";

    @Spec
    private CommandSpec spec;

    @Option(names = "--for-kubectl", description = "ends with kubectl's directive")
    private boolean isForKubectl;

    @Parameters(arity = "0..*", paramLabel = "WORD")
    private List<String> words = new ArrayList<>();

    @Override
    public void run() {
        List<String> given = words.isEmpty() ? List.of("") : words;
        String last = given.getLast();
        List<CharSequence> endings = new ArrayList<>();
        AutoComplete.complete(
                spec.root(),
                given.toArray(String[]::new),
                given.size() - 1,
                last.length(),
                String.join(" ", given).length(),
                endings);
        PrintWriter out = spec.commandLine().getOut();
        endings.stream()
                .map(ending -> last + ending)
                .filter(word -> !word.startsWith("__"))
                .sorted()
                .distinct()
                .forEach(out::println);
        if (isForKubectl) {
            out.println(NO_FILES);
        }
        out.flush();
    }
}
