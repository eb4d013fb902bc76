/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import dev.ratchet.protocol.store.v1.StoreIdentity;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * Whose subspace a store holds and in which generation. The first process of a cluster writes it, every later one
 * checks it before anything else, so that two clusters never share a subspace unnoticed and no release works on keys
 * that it does not understand.
 *
 * @param storeId random id, written once
 * @param format format of the persisted keys
 * @param generation raised by every restore, from 1
 */
public record StoreRecord(String storeId, int format, long generation) {

    /** The format this release writes. It also opens the one before, once there is one. */
    public static final int FORMAT = 1;

    private static final int ID_BYTES = 16;

    /**
     * Reads the record, or writes it if the subspace is new. Commits nothing itself and may be retried.
     *
     * @param owner {@code <namespace>/<cluster>}
     * @param random for the id of a new subspace
     * @return fails with {@link WrongStoreException} if the subspace is another cluster's or of a foreign format
     */
    public static CompletableFuture<StoreRecord> openOrCreate(
            Transaction transaction, Keyspace keyspace, String owner, RandomGenerator random) {
        Table<StoreIdentity> identities = StoreTables.IDENTITY.in(keyspace);
        return transaction.get(identities.key()).thenCombine(generation(transaction, keyspace), (bytes, generation) -> {
            if (bytes == null) {
                StoreIdentity created = StoreIdentity.newBuilder()
                        .setStoreId(newId(random))
                        .setFormat(FORMAT)
                        .setOwner(owner)
                        .build();
                transaction.set(identities.key(), identities.encode(created));
                return new StoreRecord(created.getStoreId(), FORMAT, generation);
            }
            StoreIdentity found = identities.decode(bytes);
            require(found, keyspace, owner);
            return new StoreRecord(found.getStoreId(), found.getFormat(), generation);
        });
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
            transaction.set(generations.key(), generations.encode(least));
            return least;
        });
    }

    private static void require(StoreIdentity found, Keyspace keyspace, String owner) {
        if (!found.getOwner().equals(owner)) {
            throw new WrongStoreException(
                    "Subspace '" + keyspace + "' belongs to cluster " + found.getOwner() + ", not to " + owner
                            + " (store id " + found.getStoreId() + "): give each cluster a subspace of its own");
        }
        if (found.getFormat() != FORMAT) {
            throw new WrongStoreException("Subspace '" + keyspace + "' has key format " + found.getFormat()
                    + ", this release works on format " + FORMAT + ": run the release that fits");
        }
    }

    private static String newId(RandomGenerator random) {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
