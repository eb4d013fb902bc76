/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** A command that is named is made alone, and is the same as among all of them. */
class CommandTreeTest {

    private static final Map<String, Function<String[], CommandLine>> PROGRAMS = Map.of(
            "ratchet",
            arguments -> RatchetCommand.commandLine(RatchetCommand.partsWith(ContextConnection::new), arguments),
            "kubectl ratchet",
            KubectlPlugin::commandLine);

    /** Names of the commands that answer with what there is. */
    private static final Set<String> SHOW =
            Set.of("list", "show", "tree", "status", "plan", "workers", "objects", "layouts");

    @ParameterizedTest
    @ValueSource(strings = {"ratchet", "kubectl ratchet"})
    void aCommandThatIsNamedIsAloneAndTheSame(String program) {
        Map<String, CommandLine> all = line(program).getSubcommands();
        assertThat(all).containsKeys("status", "help", "__complete");
        all.forEach((name, command) -> {
            Map<String, CommandLine> made = line(program, name).getSubcommands();
            if (made.size() == 1) {
                assertThat(made.get(name).getUsageMessage()).isEqualTo(command.getUsageMessage());
            } else {
                assertThat(name).isIn("help", "completion", "__complete");
                assertThat(made).hasSameSizeAs(all);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"ratchet", "kubectl ratchet"})
    void wordsThatNameNoneMeanAll(String program) {
        for (String word : new String[] {"statsu", "--help", "stat", ""}) {
            assertThat(line(program, word).getSubcommands())
                    .hasSameSizeAs(line(program).getSubcommands());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ratchet", "kubectl ratchet"})
    void whatListsAndShowsIsForProgramsTooAndCanBeWatched(String program) {
        List<String> shown = new ArrayList<>();
        List<String> without = new ArrayList<>();
        everyCommandOf(line(program)).forEach(command -> {
            if (SHOW.contains(command.getCommandName())) {
                String name = command.getCommandSpec().qualifiedName();
                shown.add(name);
                for (String option : List.of("--output", "--watch")) {
                    if (command.getCommandSpec().findOption(option) == null) {
                        without.add(name + " " + option);
                    }
                }
            }
        });
        assertThat(shown).hasSizeGreaterThan(8);
        assertThat(without).isEmpty();
    }

    private static Stream<CommandLine> everyCommandOf(CommandLine line) {
        return Stream.concat(
                Stream.of(line), line.getSubcommands().values().stream().flatMap(CommandTreeTest::everyCommandOf));
    }

    private static CommandLine line(String program, String... arguments) {
        return PROGRAMS.get(program).apply(arguments);
    }
}
