/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.store;

import com.apple.foundationdb.Database;
import dev.ratchet.futures.check.CheckReport;
import dev.ratchet.futures.check.ClusterCheck;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.store.ClusterConfiguration;
import dev.ratchet.store.environment.SystemEnvironment;
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
        description = "Checks that all that a cluster's store holds of its futures agrees with itself.",
        mixinStandardHelpOptions = true)
public final class CheckCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Override
    public Integer call() {
        return Failures.report(spec.commandLine().getErr(), () -> {
            ClusterConfiguration configuration = cluster.configuration();
            Keyspace keyspace = new Keyspace(configuration.store().subspace());
            try (SystemEnvironment environment = new SystemEnvironment();
                    Database database = cluster.open(configuration, environment)) {
                FutureStore store = new FutureStore(database, new FutureKeys(keyspace), environment);
                return print(new ClusterCheck(store, new StoredMembers(keyspace))
                        .run()
                        .join());
            }
        });
    }

    private int print(CheckReport report) {
        PrintWriter out = spec.commandLine().getOut();
        report.violations().forEach(out::println);
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
