/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.store;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.store.ClusterConfiguration;
import dev.ratchet.store.keyspace.KeyListing;
import dev.ratchet.store.keyspace.KeyPath;
import dev.ratchet.store.keyspace.KeyRegistry;
import dev.ratchet.store.keyspace.Keyspace;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code ratchet keys [path]}: what a cluster keeps in its store, readable. Reads page by page, each at its own
 * version.
 */
@Command(
        name = "keys",
        description = "Shows keys and values of a cluster's store in readable form.",
        mixinStandardHelpOptions = true)
public final class KeysCommand implements Callable<Integer> {

    private static final int PAGE_LINES = 1_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(names = "--limit", paramLabel = "N", description = "most lines to show (default: ${DEFAULT-VALUE})")
    private int limit = 10_000;

    @Option(names = "--tables", description = "show which tables there are and what their keys mean, without any store")
    private boolean tables;

    @Parameters(
            arity = "0..1",
            paramLabel = "PATH",
            description =
                    "MODULE[/TABLE[/ELEMENT...]] as the lines shown begin: integers, ids, 0x and hexadecimal digits,"
                            + " @ and those of a versionstamp, or text, in single quotes where it looks like those")
    private String path = "";

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        KeyRegistry registry = KeyRegistry.load();
        if (tables) {
            registry.tables().forEach(table -> out.println(table.shape()));
        } else {
            list(registry, out);
        }
        out.flush();
        return 0;
    }

    private void tellNothing(KeyRegistry registry, ClusterConfiguration configuration) {
        String nothing = "Cluster " + configuration.namespace() + "/" + configuration.cluster() + " has no keys"
                + (path.isEmpty() ? "" : " under " + path);
        registry.problem(KeyPath.parse(path)).ifPresent(problem -> {
            throw new IllegalArgumentException(nothing + ", and " + problem + "; --tables shows what keys mean");
        });
        spec.commandLine().getErr().println("ratchet: " + nothing);
    }

    private void list(KeyRegistry registry, PrintWriter out) {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit must be at least 1, not " + limit);
        }
        Tuple elements = KeyPath.parse(path);
        ClusterConfiguration configuration = cluster.configuration();
        Keyspace keyspace = new Keyspace(configuration.store().subspace());
        KeyListing listing = new KeyListing(keyspace, registry);
        try (SystemEnvironment environment = new SystemEnvironment();
                Database database = cluster.open(configuration, environment)) {
            byte[] next = null;
            int left = limit;
            do {
                byte[] from = next;
                int lines = Math.min(left, PAGE_LINES);
                KeyListing.Page page = database.readAsync(
                                transaction -> listing.page(transaction, elements, from, lines))
                        .join();
                page.lines().forEach(line -> out.println(line.path() + " = " + line.value()));
                left -= page.lines().size();
                next = page.next();
            } while (next != null && left > 0);
            if (left == limit) {
                tellNothing(registry, configuration);
            }
            if (next != null) {
                out.println("... more than " + limit + " keys: raise --limit or give a longer path");
            }
        }
    }
}
