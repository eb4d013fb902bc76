/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.foundationdb;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDB;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.NetworkOptions;
import com.apple.foundationdb.ReadTransaction;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

    static final String OLDEST_RELEASE = API_VERSION / 100 + "." + API_VERSION / 10 % 10;

    /** FoundationDB's code for a library that is older than the version asked for. */
    private static final int API_VERSION_NOT_SUPPORTED = 2203;

    private static @Nullable FoundationDbOptions started;

    private FoundationDb() {}

    /**
     * A database of the cluster that {@code options} name. Returns before anything was asked of the cluster: one that
     * can not be reached shows in the transactions.
     *
     * @param executor runs the callbacks of the database's futures
     * @throws FoundationDbException if the library is missing or does not fit, the cluster file can not be used, or the
     *     process uses other network options already
     */
    public static synchronized Database open(FoundationDbOptions options, Executor executor) {
        ClusterFile.read(options.clusterFile());
        ClientLibrary.require();
        try {
            FDB fdb = FDB.selectAPIVersion(API_VERSION);
            startNetwork(fdb, options);
            return fdb.open(options.clusterFile().toString(), executor);
        } catch (FDBException tooOld) {
            if (tooOld.getCode() == API_VERSION_NOT_SUPPORTED) {
                throw ClientLibrary.unusable("it is older than " + OLDEST_RELEASE + ": " + tooOld.getMessage(), tooOld);
            }
            throw new FoundationDbException(
                    "FoundationDB can not be used with cluster file " + options.clusterFile() + ": "
                            + tooOld.getMessage() + " (code " + tooOld.getCode() + ")",
                    tooOld);
        } catch (LinkageError missing) {
            throw ClientLibrary.unusable(String.valueOf(missing.getMessage()), missing);
        }
    }

    /**
     * Waits for the first answer of the cluster.
     *
     * @param waitMillis for how long
     * @throws FoundationDbException with the reason, as far as it can be found out within two seconds more
     */
    public static void awaitAnswer(Database database, FoundationDbOptions options, long waitMillis) {
        CompletableFuture<Long> answer = database.readAsync(ReadTransaction::getReadVersion);
        try {
            long unused = answer.get(waitMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            answer.cancel(true);
            throw new FoundationDbException(silence(options) + " (waited " + waitMillis + " ms)", late);
        } catch (ExecutionException failed) {
            throw new FoundationDbException("FoundationDB refused to be read: " + failed.getMessage(), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new FoundationDbException("Interrupted while waiting for FoundationDB", interrupted);
        }
    }

    /** Why the cluster gives no answer, for people. Blocks for up to two seconds. */
    public static String silence(FoundationDbOptions options) {
        try {
            return Coordinators.silence(ClusterFile.read(options.clusterFile()));
        } catch (FoundationDbException spoiled) {
            return String.valueOf(spoiled.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "FoundationDB does not answer";
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
}
