/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.apple.foundationdb.Database;
import dev.ratchet.cli.store.ClusterOptions;
import dev.ratchet.cli.view.TerminalText;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.check.CheckReport;
import dev.ratchet.futures.check.ClusterCheck;
import dev.ratchet.futures.check.Violation;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.client.v1.CheckReply;
import dev.ratchet.protocol.client.v1.CheckRequest;
import dev.ratchet.store.keyspace.Keyspace;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code ratchet check}: whether everything that a cluster keeps of its futures agrees with itself. Reads only, beside
 * the running cluster; exit code 1 if something does not.
 */
@Command(
        name = "check",
        description = "Checks that all that a cluster's store holds of its futures agrees with itself: through a worker"
                + " where a connection or context is given, else straight from the store.",
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConnectionMixin connection;

    @Mixin
    private ClusterOptions cluster;

    @Override
    public Integer call() {
        return print(connection.isGiven() && !cluster.isGiven() ? throughWorker() : fromStore());
    }

    private CheckReport throughWorker() {
        try (SystemEnvironment environment = new SystemEnvironment();
                GatewayConnection gateway = connection.open(environment)) {
            CheckReply reply = GatewayConnection.await(
                    gateway.call((stub, answer) -> stub.check(CheckRequest.getDefaultInstance(), answer)));
            return new CheckReport(
                    reply.getKeys(),
                    reply.getFutures(),
                    reply.getVersions(),
                    reply.getViolationsList().stream()
                            .map(found -> new Violation(found.getKey(), found.getMessage()))
                            .toList(),
                    reply.getViolationCount(),
                    reply.getNotesList());
        }
    }

    private CheckReport fromStore() {
        try (SystemEnvironment environment = new SystemEnvironment();
                Database database = cluster.open(environment)) {
            Keyspace keyspace = cluster.keyspace();
            FutureStore store = new FutureStore(database, new FutureKeys(keyspace), environment);
            return new ClusterCheck(store, new StoredMembers(keyspace)).run().join();
        }
    }

    private int print(CheckReport report) {
        PrintWriter out = spec.commandLine().getOut();
        report.violations().forEach(violation -> out.println(TerminalText.line(violation.toString())));
        long more = report.violationCount() - report.violations().size();
        if (more > 0) {
            out.println("... and " + more + " more");
        }
        report.notes().forEach(note -> out.println("not judged: " + note));
        out.println("checked " + report.keys() + " keys of " + report.futures() + " futures at "
                + (report.versions() == 1 ? "one version" : report.versions() + " versions") + ": "
                + (report.isClean() ? "all agree" : report.violationCount() + " violations"));
        out.flush();
        return report.isClean() ? 0 : 1;
    }
}
