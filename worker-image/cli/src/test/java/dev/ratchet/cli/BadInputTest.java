/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What the caller can change costs one line on standard error and exit code 2, and reaches no cluster. */
class BadInputTest {

    @TempDir
    Path directory;

    @Test
    void aFileThatIsNoJar() throws Exception {
        Path text = Files.writeString(directory.resolve("app.jar"), "no jar");

        refused("is not a jar", "submit", "--jar", text.toString(), "--class", "com.acme.Main");
    }

    @Test
    void aJarThatIsMissing() {
        refused("There is no jar at", "submit", "--jar", "/nowhere/app.jar", "--class", "com.acme.Main");
    }

    @Test
    void aClassThatIsMissing() {
        refused("There is no class com.acme.Main", "submit", "--jar", directory.toString(), "--class", "com.acme.Main");
    }

    @Test
    void aClassThatIsNoProgram() throws Exception {
        refused("does not implement dev.ratchet.client.Program", submit("--class", Plain.class.getName()));
    }

    @Test
    void aTaskThatIsMissing() throws Exception {
        refused("has no public static method", submit("--task", Plain.class.getName() + "::missing"));
    }

    @Test
    void aTaskThatIsWrittenInAnotherForm() throws Exception {
        refused("com.acme.Main::method", submit("--task", "com.acme.Main.method"));
    }

    @Test
    void bothAProgramAndATask() throws Exception {
        refused("either --class or --task", submit("--class", "A", "--task", "B::c"));
    }

    @Test
    void aConnectionThatCanNotBeRead() {
        refused("can not be read", "status", "--connection", "/nowhere/connection");
    }

    @Test
    void aConnectionThatIsSomethingElse() throws Exception {
        Path text = Files.writeString(directory.resolve("connection"), "{\"endpoints\": [\"a:1\"]}");

        refused("lacks 'cluster'", "status", "--connection", text.toString());
        refused(
                "is not JSON",
                "status",
                "--connection",
                Files.writeString(text, "apiVersion: v1").toString());
    }

    @Test
    void anEndpointWithoutAPort() throws Exception {
        Path text = Files.writeString(directory.resolve("connection"), "{}");

        refused("HOST:PORT", "status", "--connection", text.toString(), "--endpoint", "localhost");
    }

    @Test
    void somethingThatIsNoId() {
        refused("Not the id of a future: 'x'", "futures", "cancel", "x");
    }

    /** As {@code --job "$JOB"} does where the variable is not set: it must not mean the futures of all jobs. */
    @Test
    void anOptionWithoutAValue() {
        refused("--job is given without a value", "futures", "cancel", "--job", "");
        refused("--name is given without a value", "futures", "kill", "--name", "", "--tenant", "a");
        refused("--tenant is given without a value", "futures", "list", "--tenant=");
        refused("--seat is given without a value", "futures", "list", "--seat", "");
        refused("--job is given without a value", "objects", "--job", "");
        refused("--job is given without a value", "status", "--job", "");
        refused("JOB is given without a value", "trace", "", "--output", "/nowhere/trace.json");
        refused("SEAT|FUTURE is given without a value", "logs", "");
    }

    @Test
    void statesInWhichNothingCanBeEnded() {
        refused("those can that are [CLAIMED]", "futures", "kill", "--state", "QUEUED");
        refused("Futures that are [REALIZED]", "futures", "cancel", "--job", "a", "--state", "realized");
    }

    @Test
    void anOptionThatThereIsNot() {
        refused("Nothing is known of --fast here", "status", "--fast");
    }

    @Test
    void aCheckWithoutAClusterToCheck() {
        refused("There is no /nowhere/cluster.json: run this in a pod", "check", "--config-dir", "/nowhere");
    }

    @Test
    void noCommandAtAll() {
        refused("Say what to do: submit, status");
        refused("Say what to do: list, show, tree, cancel, kill, delete, retention", "futures");
        refused("Say what to do: serve, backup, restore", "store");
        refused("Say what to do: run, explain", "circuit");
    }

    @Test
    void aCommandThatIsMisspelled() {
        refused("did you mean status", "statsu");
        refused("did you mean list", "futures", "lst");
        refused("The duration soon can not be read", "futures", "retention", "soon");
    }

    @Test
    void aFileThatIsMissing() {
        refused("Can not read the program /nowhere.sql", "circuit", "explain", "--sql", "/nowhere.sql");
        refused("There is no file /nowhere.backup", "store", "restore", "/nowhere.backup", "--data-dir", "/nowhere");
    }

    private String[] submit(String... more) throws Exception {
        Path classes = Path.of(
                Plain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        String[] all = new String[3 + more.length];
        all[0] = "submit";
        all[1] = "--jar";
        all[2] = classes.toString();
        System.arraycopy(more, 0, all, 3, more.length);
        return all;
    }

    private static void refused(String message, String... arguments) {
        StringWriter err = new StringWriter();
        StringWriter out = new StringWriter();
        CommandLine command =
                RatchetCommand.commandLine().setErr(new PrintWriter(err)).setOut(new PrintWriter(out));

        int code = command.execute(arguments);

        assertThat(err.toString()).contains(message).startsWith("ratchet: ");
        assertThat(err.toString().strip().lines()).as("lines on standard error").hasSize(1);
        assertThat(out.toString()).isEmpty();
        assertThat(code).isEqualTo(2);
    }

    /** A class without anything that can be run. */
    public static final class Plain {}
}
