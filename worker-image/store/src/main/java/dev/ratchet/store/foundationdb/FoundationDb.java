/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.foundationdb;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDB;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.NetworkOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Owns FoundationDB's client library in this JVM: it is loaded by the first {@link #open}, and its one network thread
 * runs from then until the JVM ends, because FoundationDB can not start it twice. All databases of a process share the
 * network options of the first.
 */
public final class FoundationDb {

    /**
     * Works with client libraries of FoundationDB 7.3 and later. Never less than that of the Java binding, which asks
     * the library for its own version too.
     */
    public static final int API_VERSION = 730;

    private static @Nullable FoundationDbOptions started;

    private FoundationDb() {}

    /**
     * A database of the cluster that {@code options} name. Returns before anything was asked of the cluster: one that
     * can not be reached shows in the transactions.
     *
     * @param executor runs the callbacks of the database's futures
     * @throws FoundationDbException if the library is missing, the cluster file can not be used, or the process uses
     *     other network options already
     */
    public static synchronized Database open(FoundationDbOptions options, Executor executor) {
        requireClusterFile(options.clusterFile());
        try {
            FDB fdb = FDB.selectAPIVersion(API_VERSION);
            startNetwork(fdb, options);
            return fdb.open(options.clusterFile().toString(), executor);
        } catch (FDBException refused) {
            throw new FoundationDbException(
                    "FoundationDB refused cluster file " + options.clusterFile() + ": " + refused.getMessage()
                            + " (code " + refused.getCode() + ")",
                    refused);
        } catch (LinkageError missing) {
            throw new FoundationDbException(
                    "FoundationDB's client library libfdb_c.so can not be loaded (" + missing.getMessage()
                            + "). Install the package foundationdb-clients " + API_VERSION / 100 + "."
                            + API_VERSION / 10 % 10
                            + " or later from https://github.com/apple/foundationdb/releases, or put the library into a"
                            + " directory of LD_LIBRARY_PATH, or start Java with"
                            + " -DFDB_LIBRARY_PATH_FDB_C=/path/libfdb_c.so."
                            + " In Kubernetes an init container puts it there:"
                            + " name an image that has it in spec.store.foundationDB.clientImage.",
                    missing);
        }
    }

    private static void startNetwork(FDB fdb, FoundationDbOptions options) {
        FoundationDbOptions former = started;
        if (former != null) {
            boolean same = former.equals(new FoundationDbOptions(
                    former.clusterFile(), options.tlsDirectory(), options.externalClientDirectory()));
            if (!same) {
                throw new FoundationDbException(
                        "One process has one FoundationDB client: it runs with " + former + ", and can not use "
                                + options + " as well",
                        null);
            }
            return;
        }
        configure(fdb.options(), options);
        fdb.startNetwork();
        started = options;
    }

    /** Tells the library what {@code options} say; what they leave open it takes from its environment variables. */
    static void configure(NetworkOptions network, FoundationDbOptions options) {
        Path external = options.externalClientDirectory();
        if (external != null) {
            network.setExternalClientDirectory(external.toString());
        }
        Path tls = options.tlsDirectory();
        if (tls != null) {
            network.setTLSCertPath(tls.resolve("tls.crt").toString());
            network.setTLSKeyPath(tls.resolve("tls.key").toString());
            network.setTLSCaPath(tls.resolve("ca.crt").toString());
        }
    }

    private static void requireClusterFile(Path clusterFile) {
        if (!Files.isReadable(clusterFile)) {
            throw new FoundationDbException(
                    "The FoundationDB cluster file " + clusterFile
                            + " can not be read: name the fdb.cluster of your cluster",
                    null);
        }
        if (!Files.isWritable(clusterFile)) {
            throw new FoundationDbException(
                    "The FoundationDB cluster file " + clusterFile
                            + " can not be written: the client must rewrite it when"
                            + " coordinators change. Copy it to a place of the process's own",
                    null);
        }
    }
}
