/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Term 1 of incarnation 1 of a seat, and who holds the term in the store. */
class TermTest {

    private static final String SEAT = "orders-w-0";
    private static final byte[] DECISION = {1};

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Database database = new EmbeddedDatabaseSupplier(environment).get();
    private final Keyspace keyspace = new Keyspace("team-a/orders");
    private final byte[] key = keyspace.root().pack("decision");
    private final Term term = new Term(1, SEAT, 1, 1, database, keyspace);

    @AfterEach
    void close() {
        environment.close();
    }

    @ParameterizedTest(name = "term {0} of \"{1}\" incarnation {2}: {3}")
    @CsvSource({
        "1, orders-w-0, 1, true",
        "2, orders-w-0, 1, false",
        "1, orders-w-0, 2, false",
        "1, orders-w-1, 1, false",
        "1, '', 0, false",
    })
    void onlyItsHolderDecidesAndReadsInATerm(long number, String seat, long incarnation, boolean holds) {
        hold(number, seat, incarnation);
        CompletableFuture<Boolean> wrote = decide(() -> {});
        CompletableFuture<Boolean> read = term.read(transaction -> CompletableFuture.completedFuture(true));
        if (holds) {
            assertThat(wrote.join() && read.join()).isTrue();
        } else {
            assertThatThrownBy(wrote::join).hasCauseInstanceOf(Term.DeposedException.class);
            assertThatThrownBy(read::join).hasCauseInstanceOf(Term.DeposedException.class);
        }
        assertThat(isDecided()).isEqualTo(holds);
    }

    @Test
    void whatWasBegunInATermIsNotCommittedInTheNext() {
        hold(1, SEAT, 1);
        CompletableFuture<Boolean> late = decide(() -> hold(2, "orders-w-1", 1));
        assertThatThrownBy(late::join).hasCauseInstanceOf(Term.DeposedException.class);
        assertThat(isDecided()).isFalse();
    }

    /** A backup may have been taken while this incarnation held the term, which outlives the restore for a beat. */
    @Test
    void nothingIsDecidedOrToldInATermOfAnEarlierLifeOfTheStore() {
        hold(1, SEAT, 1);
        CompletableFuture<Boolean> late = decide(this::restore);
        assertThatThrownBy(late::join).hasCauseInstanceOf(Term.DeposedException.class);
        CompletableFuture<Boolean> read = term.read(transaction -> CompletableFuture.completedFuture(true));
        assertThatThrownBy(read::join).hasMessageContaining("generation=1 current=2");
        assertThat(isDecided()).isFalse();
    }

    private void restore() {
        database.run(transaction ->
                StoreRecord.raiseGeneration(transaction, keyspace, 2).join());
    }

    private CompletableFuture<Boolean> decide(Runnable meanwhile) {
        return term.write(transaction -> {
            transaction.set(key, DECISION);
            meanwhile.run();
            return CompletableFuture.completedFuture(true);
        });
    }

    private boolean isDecided() {
        return database.run(transaction -> transaction.get(key).join()) != null;
    }

    private void hold(long number, String seat, long incarnation) {
        database.run(transaction -> {
            new CoordinatorTable(keyspace)
                    .writeHolder(
                            transaction,
                            CoordinatorRecord.newBuilder()
                                    .setTerm(number)
                                    .setSeat(seat)
                                    .setIncarnation(incarnation)
                                    .build());
            return null;
        });
    }
}
