/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ratchet.cli.context.Contexts;
import dev.ratchet.cli.kubectl.Resources;
import dev.ratchet.cli.view.OutputMixin;
import dev.ratchet.cli.view.View;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.client.ConnectionDocument;
import dev.ratchet.futures.client.GatewayConnection;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kubectl ratchet}: the commands about a cluster, which is found through kubectl. */
@Command(
        name = "kubectl ratchet",
        description = "Works with a ComputeCluster of Kubernetes.",
        mixinStandardHelpOptions = true,
        versionProvider = CliVersion.class)
public final class KubectlPlugin {

    private static final List<Class<?>> COMMANDS = List.of(
            StatusOfResources.class,
            CheckCommand.class,
            LogsCommand.class,
            Layouts.class,
            UpgradeCommand.class,
            WorkersCommand.class,
            FuturesCommand.class,
            SessionsCommand.class,
            ObjectsCommand.class,
            SubmitCommand.class,
            TraceCommand.class,
            CircuitCommand.OfCluster.class,
            Keep.class);

    private static final List<Class<?>> ABOUT_COMMANDS = List.of(CompleteCommand.class, CommandLine.HelpCommand.class);

    /** Each look calls kubectl. */
    private static final long WATCH_MILLIS = 5_000;

    private KubectlPlugin() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        RatchetCommand.logLittle();
        RatchetCommand.exit(commandLine(arguments).execute(arguments));
    }

    static CommandLine commandLine(String... arguments) {
        return RatchetCommand.configured(
                new CommandLine(new KubectlPlugin(), RatchetCommand.partsWith(KubectlConnection::new)),
                COMMANDS,
                ABOUT_COMMANDS,
                arguments);
    }

    /** {@code status}: what Kubernetes says of the cluster, and what its workers say. */
    @Command(
            name = "status",
            description = "Shows the conditions, seats, workers and jobs of a cluster.",
            mixinStandardHelpOptions = true)
    static final class StatusOfResources implements Callable<Integer> {

        @Mixin
        private KubectlConnection connection;

        @Mixin
        private OutputMixin output;

        private @Nullable GatewayConnection gateway;

        @Override
        public Integer call() throws InterruptedException {
            try (SystemEnvironment environment = new SystemEnvironment()) {
                output.show(() -> look(environment), WATCH_MILLIS);
                return 0;
            } finally {
                if (gateway != null) {
                    gateway.close();
                }
            }
        }

        private View look(SystemEnvironment environment) {
            JsonNode cluster = connection.cluster();
            String name = cluster.path("metadata").path("name").asText();
            String namespace = cluster.path("metadata").path("namespace").asText();
            View view = new View().heading("cluster " + namespace + "/" + name);
            view.fields().put("namespace", namespace).put("cluster", name);
            view.section(Resources.conditions(cluster));
            view.section(Resources.seats(connection
                    .kubectl()
                    .json("get", "computeworkers.ratchet.dev", "--selector=ratchet.dev/cluster=" + name)));
            if (cluster.path("status").path("readyReplicas").asInt() == 0) {
                return view.note("No worker is ready, so none was asked for workers and jobs.");
            }
            if (gateway == null) {
                gateway = connection.open(environment);
            }
            return ClusterStatus.add(ClusterStatus.ask(gateway), view);
        }
    }

    /** {@code layouts}: how the cluster came to be laid out as it is. */
    @Command(
            name = "layouts",
            description = "Shows the layouts of a cluster, or of all in the namespace: why, how far, what was moved.",
            mixinStandardHelpOptions = true)
    static final class Layouts implements Callable<Integer> {

        @Mixin
        private KubectlConnection connection;

        @Mixin
        private OutputMixin output;

        @Override
        public Integer call() throws InterruptedException {
            output.show(this::look, WATCH_MILLIS);
            return 0;
        }

        private View look() {
            JsonNode list = connection.kubectl().json("get", "computelayouts.ratchet.dev");
            View view = new View().section(Resources.layouts(list, connection.givenName()));
            return list.path("items").isEmpty() ? view.note("There are no layouts in this namespace.") : view;
        }
    }

    /** {@code context}: lets {@code ratchet} reach the cluster without kubectl from then on. */
    @Command(
            name = "context",
            description = "Keeps the connection of a cluster as a context of ratchet, and makes it the current one.",
            mixinStandardHelpOptions = true)
    static final class Keep implements Callable<Integer> {

        @Spec
        private CommandSpec spec;

        @Mixin
        private KubectlConnection connection;

        @Option(names = "--as", paramLabel = "NAME", description = "name of the context; default that of the cluster")
        private @Nullable String contextName;

        @Override
        public Integer call() {
            GatewayCommand.requireValue("--as", contextName);
            ConnectionDocument document = ConnectionDocument.parse(connection.document(connection.cluster()));
            String name = contextName == null ? document.cluster() : contextName;
            Contexts contexts = Contexts.ofUser();
            boolean isNew = contexts.add(name, document.json());
            contexts.use(name);
            spec.commandLine()
                    .getOut()
                    .println("context " + name + (isNew ? " added" : " replaced") + ": cluster " + document.namespace()
                            + "/" + document.cluster() + ", the current one");
            spec.commandLine().getOut().flush();
            return 0;
        }
    }
}
