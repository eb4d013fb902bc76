/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ratchet.cli.kubectl.UpgradeResources;
import dev.ratchet.cli.view.OutputMixin;
import dev.ratchet.cli.view.View;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kubectl ratchet upgrade}: looks at the upgrade of a cluster, and writes its spec to stop it or go back. */
@Command(
        name = "upgrade",
        description = "Shows, stops and takes back the upgrade of a cluster.",
        mixinStandardHelpOptions = true,
        subcommands = {
            UpgradeCommand.Status.class,
            UpgradeCommand.Plan.class,
            UpgradeCommand.Pause.class,
            UpgradeCommand.Resume.class,
            UpgradeCommand.Rollback.class,
            UpgradeCommand.Finalize.class
        })
final class UpgradeCommand {

    /** Each look calls kubectl. */
    private static final long WATCH_MILLIS = 5_000;

    /** What all of them have: a cluster that is found through kubectl. */
    abstract static class Part implements Callable<Integer> {

        @Spec
        private CommandSpec spec;

        @Mixin
        private KubectlConnection connection;

        final KubectlConnection connection() {
            return connection;
        }

        final JsonNode list(JsonNode cluster, String kind) {
            return connection.kubectl().json("get", kind, "--selector=ratchet.dev/cluster=" + name(cluster));
        }

        final JsonNode revisions(JsonNode cluster) {
            return connection
                    .kubectl()
                    .json(
                            "get",
                            "controllerrevisions.apps",
                            "--selector=ratchet.dev/component=worker,ratchet.dev/cluster=" + name(cluster));
        }

        final UpgradeResources resources(JsonNode cluster) {
            return new UpgradeResources(cluster, list(cluster, "computeworkers.ratchet.dev"));
        }

        final void write(JsonNode cluster, String type, String patch, String done) {
            connection
                    .kubectl()
                    .json("patch", "computecluster.ratchet.dev", name(cluster), "--type=" + type, "--patch=" + patch);
            say("cluster " + name(cluster) + ": " + done);
        }

        final void say(String line) {
            spec.commandLine().getOut().println(line);
            spec.commandLine().getOut().flush();
        }

        final CommandSpec spec() {
            return spec;
        }

        static String name(JsonNode object) {
            return object.path("metadata").path("name").asText();
        }
    }

    /** What only shows something. */
    abstract static class Look extends Part {

        @Mixin
        private OutputMixin output;

        abstract View look();

        @Override
        public final Integer call() throws InterruptedException {
            output.show(this::look, WATCH_MILLIS);
            return 0;
        }
    }

    /** {@code status}. */
    @Command(
            name = "status",
            description = "Shows how far the upgrade is, what it waits for, and which worker has which release.",
            mixinStandardHelpOptions = true)
    static final class Status extends Look {
        @Override
        View look() {
            JsonNode cluster = connection().cluster();
            return resources(cluster).status(list(cluster, "computelayouts.ratchet.dev"));
        }
    }

    /** {@code plan}. */
    @Command(
            name = "plan",
            description = "Shows which fields changed, which workers are to be replaced, and what they hold.",
            mixinStandardHelpOptions = true)
    static final class Plan extends Look {
        @Override
        View look() {
            JsonNode cluster = connection().cluster();
            return resources(cluster).plan(revisions(cluster));
        }
    }

    /** {@code pause}. */
    @Command(
            name = "pause",
            description = "Stops the upgrade between steps: sets spec.upgrade.suspended.",
            mixinStandardHelpOptions = true)
    static final class Pause extends Part {
        @Override
        public Integer call() {
            suspend(this, true);
            return 0;
        }
    }

    /** {@code resume}. */
    @Command(
            name = "resume",
            description = "Lets the upgrade go on: unsets spec.upgrade.suspended.",
            mixinStandardHelpOptions = true)
    static final class Resume extends Part {
        @Override
        public Integer call() {
            suspend(this, false);
            return 0;
        }
    }

    private static void suspend(Part part, boolean wanted) {
        JsonNode cluster = part.connection().cluster();
        boolean is = cluster.path("spec").path("upgrade").path("suspended").asBoolean();
        if (is == wanted) {
            part.say("cluster " + Part.name(cluster) + ": the upgrade was " + (wanted ? "" : "not ")
                    + "suspended already");
            return;
        }
        part.write(
                cluster,
                "merge",
                "{\"spec\":{\"upgrade\":{\"suspended\":" + wanted + "}}}",
                wanted ? "the upgrade stops between steps" : "the upgrade goes on");
    }

    /** {@code rollback}. */
    @Command(
            name = "rollback",
            description = "Puts what an earlier revision of workers was made from into the spec; workers go back.",
            mixinStandardHelpOptions = true)
    static final class Rollback extends Part {

        @Option(
                names = "--to-revision",
                paramLabel = "NAME",
                description = "a ControllerRevision of workers; default what all workers had last")
        private @Nullable String revision;

        @Override
        public Integer call() {
            GatewayCommand.requireValue("--to-revision", revision);
            JsonNode cluster = connection().cluster();
            String patch =
                    resources(cluster).rollback(revisions(cluster), revision).toString();
            write(cluster, "json", patch, "the spec asks for the earlier revision again");
            return 0;
        }
    }

    /** {@code finalize}. */
    @Command(
            name = "finalize",
            description = "Lets the recorded formats be raised after an upgrade, which ends the way back.",
            mixinStandardHelpOptions = true)
    static final class Finalize extends Part {
        @Override
        public Integer call() {
            JsonNode cluster = connection().cluster();
            int level = resources(cluster).finalizable();
            write(
                    cluster,
                    "merge",
                    "{\"metadata\":{\"annotations\":{\"ratchet.dev/finalize-upgrade\":\"" + level + "\"}}}",
                    "formats are raised to level " + level + " once the workers are stable; earlier releases can not"
                            + " come back then");
            return 0;
        }
    }
}
