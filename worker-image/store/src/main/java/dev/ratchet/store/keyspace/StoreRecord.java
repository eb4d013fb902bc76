/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import dev.ratchet.protocol.release.ReleaseFormats;
import dev.ratchet.protocol.store.v1.StoreIdentity;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * Whose subspace a store holds and in which generation. The first process of a cluster writes it, every later one
 * checks it before anything else, so that two clusters never share a subspace unnoticed and no release works on keys
 * that it does not understand.
 *
 * @param storeId random id, written once
 * @param format level of recorded formats when the record was read
 * @param generation raised by every restore, from 1
 */
public record StoreRecord(String storeId, int format, long generation) {

    private static final int ID_BYTES = 16;

    /**
     * Reads the record, or writes it if the subspace is new, in the newest level that this process writes: whatever is
     * older never recorded anything there. Commits nothing itself and may be retried.
     *
     * @param owner {@code <namespace>/<cluster>}
     * @param own what this process reads and writes
     * @param random for the id of a new subspace
     * @return fails with {@link WrongStoreException} if the subspace is another cluster's or of a foreign format
     */
    public static CompletableFuture<StoreRecord> openOrCreate(
            Transaction transaction, Keyspace keyspace, String owner, ReleaseFormats own, RandomGenerator random) {
        Table<StoreIdentity> identities = StoreTables.IDENTITY.in(keyspace);
        return transaction.get(identities.key()).thenCombine(generation(transaction, keyspace), (bytes, generation) -> {
            if (bytes == null) {
                StoreIdentity created = StoreIdentity.newBuilder()
                        .setStoreId(newId(random))
                        .setFormat(own.levels().newest())
                        .setFormatRelease(own.release())
                        .setOwner(owner)
                        .build();
                identities.set(transaction, created);
                return new StoreRecord(created.getStoreId(), created.getFormat(), generation);
            }
            StoreIdentity found = identities.decode(bytes);
            require(found, keyspace, owner, own);
            return new StoreRecord(found.getStoreId(), found.getFormat(), generation);
        });
    }

    /** The level of recorded formats now; 0 while nothing is recorded. */
    public static CompletableFuture<Integer> format(ReadTransaction transaction, Keyspace keyspace) {
        return identity(transaction, keyspace)
                .thenApply(found -> found.map(StoreIdentity::getFormat).orElse(0));
    }

    /** Why a process that reads {@code own} must not work on what is recorded; empty if it may. */
    public static CompletableFuture<Optional<String>> formatObjection(
            ReadTransaction transaction, Keyspace keyspace, ReleaseFormats own) {
        return identity(transaction, keyspace)
                .thenApply(found -> found.flatMap(identity -> formatObjection(identity, own)));
    }

    /** Fails with {@link WrongStoreException} if a process that reads {@code own} must not work on what is recorded. */
    public static CompletableFuture<Void> requireFormats(
            ReadTransaction transaction, Keyspace keyspace, ReleaseFormats own) {
        return formatObjection(transaction, keyspace, own)
                .thenAccept(objection -> objection.ifPresent(why -> {
                    throw unreadable(keyspace, why);
                }));
    }

    /**
     * Raises the level of recorded formats to {@code level} if it is below. Whoever calls it has proved in the same
     * transaction that every process that may live reads that level: from its commit on, others are refused.
     *
     * @return the level then
     * @throws IllegalArgumentException in the future, if that level is not one of {@code own}
     */
    public static CompletableFuture<Integer> raiseFormat(
            Transaction transaction, Keyspace keyspace, int level, ReleaseFormats own) {
        Table<StoreIdentity> identities = StoreTables.IDENTITY.in(keyspace);
        return identity(transaction, keyspace).thenApply(found -> {
            StoreIdentity former =
                    found.orElseThrow(() -> new IllegalArgumentException("There is no store in " + keyspace));
            if (former.getFormat() >= level) {
                return former.getFormat();
            }
            if (!own.levels().contains(level)) {
                throw new IllegalArgumentException("Format level " + level + " is not one that release " + own.release()
                        + " writes, which are " + own.levels());
            }
            StoreIdentity raised = former.toBuilder()
                    .setFormat(level)
                    .setFormatRelease(own.release())
                    .build();
            identities.set(transaction, raised);
            return level;
        });
    }

    private static CompletableFuture<Optional<StoreIdentity>> identity(ReadTransaction transaction, Keyspace keyspace) {
        Table<StoreIdentity> identities = StoreTables.IDENTITY.in(keyspace);
        return transaction.get(identities.key()).thenApply(bytes -> Optional.ofNullable(bytes)
                .map(identities::decode));
    }

    /** The generation. A transaction that writes reads it with a conflict range: on behalf of an older one it fails. */
    public static CompletableFuture<Long> generation(ReadTransaction transaction, Keyspace keyspace) {
        Table<Long> generations = StoreTables.GENERATION.in(keyspace);
        return transaction.get(generations.key()).thenApply(bytes -> bytes == null ? 1L : generations.decode(bytes));
    }

    /** Makes the transaction conflict with each rise of the generation since its read version. */
    public static void conflictWithGeneration(Transaction transaction, Keyspace keyspace) {
        transaction.addReadConflictKey(StoreTables.GENERATION.in(keyspace).key());
    }

    /**
     * Raises the generation to {@code least} if it is below. Done after a restore and before anybody works on the
     * restored data: every process of the former life is fenced.
     *
     * @return what the generation is then
     */
    public static CompletableFuture<Long> raiseGeneration(Transaction transaction, Keyspace keyspace, long least) {
        Table<Long> generations = StoreTables.GENERATION.in(keyspace);
        return generation(transaction, keyspace).thenApply(former -> {
            if (former >= least) {
                return former;
            }
            generations.set(transaction, least);
            return least;
        });
    }

    private static void require(StoreIdentity found, Keyspace keyspace, String owner, ReleaseFormats own) {
        if (!found.getOwner().equals(owner)) {
            throw new WrongStoreException(
                    "Subspace '" + keyspace + "' belongs to cluster " + found.getOwner() + ", not to " + owner
                            + " (store id " + found.getStoreId() + "): give each cluster a subspace of its own");
        }
        formatObjection(found, own).ifPresent(why -> {
            throw unreadable(keyspace, why);
        });
    }

    private static WrongStoreException unreadable(Keyspace keyspace, String why) {
        return new WrongStoreException("Subspace '" + keyspace + "': " + why);
    }

    private static Optional<String> formatObjection(StoreIdentity found, ReleaseFormats own) {
        if (own.levels().contains(found.getFormat())) {
            return Optional.empty();
        }
        String by = found.getFormatRelease().isEmpty() ? "" : ", recorded by release " + found.getFormatRelease();
        boolean newer = found.getFormat() > own.levels().newest();
        return Optional.of("the store is of format level " + found.getFormat() + by + ", and this release, "
                + own.release() + ", works on levels " + own.levels() + ": "
                + (newer
                        ? "run that release or a later one; the way back ended when the level was raised"
                        : "go to a release between the two first, and let it raise the level"));
    }

    private static String newId(RandomGenerator random) {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
