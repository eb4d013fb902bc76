/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.Environment;
import dev.ratchet.protocol.release.ReleaseFormats;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import dev.ratchet.store.keyspace.WrongStoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the store for as long as it takes. Nobody outside of a pod can ask a worker without a store what it waits
 * for, so the first process of an outage ends with that on its lips, once in a pod; those after it wait, so that no
 * back-off of the kubelet's holds up the end of the outage.
 */
final class StoreOpening {

    private static final long RETRY_MILLIS = 500;
    private static final long TRY_MILLIS = 3_000;
    private static final Logger LOG = LoggerFactory.getLogger(StoreOpening.class);

    private final WorkerSettings settings;
    private final LastWords lastWords;
    private final Supplier<Optional<String>> silence;
    private final Environment environment;
    private final Path told;

    /** @param silence why the store gives no answer, where that can be found out */
    StoreOpening(
            WorkerSettings settings, LastWords lastWords, Supplier<Optional<String>> silence, Environment environment) {
        this.settings = settings;
        this.lastWords = lastWords;
        this.silence = silence;
        this.environment = environment;
        this.told = settings.dataDirectory().resolve("store-silent");
    }

    /**
     * The record of the store; nothing if the process was told to end meanwhile. Blocks.
     *
     * @throws WrongStoreException if it is another cluster's
     * @throws StoreSilentException if it gives no answer, and this is the first process in the pod to find that
     */
    Optional<StoreRecord> open(Database database, Keyspace keyspace, Future<?> terminating)
            throws IOException, InterruptedException {
        boolean reported = false;
        while (!terminating.isDone()) {
            try {
                StoreRecord found = database.runAsync(transaction -> {
                            transaction.options().setTimeout(TRY_MILLIS);
                            return StoreRecord.openOrCreate(
                                    transaction, keyspace, settings.owner(), ReleaseFormats.OWN, environment.random());
                        })
                        .orTimeout(TRY_MILLIS + RETRY_MILLIS, TimeUnit.MILLISECONDS)
                        .join();
                Files.deleteIfExists(told);
                return Optional.of(found);
            } catch (CompletionException failure) {
                if (failure.getCause() instanceof WrongStoreException wrong) {
                    throw wrong;
                }
                if (!reported) {
                    String why = silence.get().orElseGet(() -> String.valueOf(failure.getCause()));
                    LOG.warn("The store can not be used yet, trying again: {}", why);
                    reported = true;
                    tell(why);
                }
                TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            }
        }
        return Optional.empty();
    }

    private void tell(String why) throws IOException {
        String pod = settings.podUid();
        if (lastWords.areHeard()
                && !(Files.exists(told) && Files.readString(told).equals(pod))) {
            Files.writeString(told, pod);
            throw new StoreSilentException(why);
        }
    }
}
