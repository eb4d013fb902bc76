/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.cluster.FaultyDatabase;
import dev.ratchet.futures.collect.Holders;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.object.CopyRecords;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What nobody needs goes without a trace, and nothing else does: seen from the store, with its faults. */
class CollectionTest extends CollectionFixture {

    private static final String OTHER = "w-1";

    @Test
    void whatIsDeletedLeavesNoKeyButTheOrderToDeleteItsBytes() {
        FutureId id = submit(List.of(), 0);
        finish(true);

        assertThat(delete(id)).containsExactly(id);

        assertThat(left()).allMatch(path -> path.startsWith("futures/garbage/" + SEAT + "/1/" + id));
        assertThat(delete(id)).as("deleting again").isEmpty();
    }

    @Test
    void whatIsSubmittedAgainUnderItsKeyKeepsItsBytesAlthoughFormerOnesAreStillToBeDeleted() {
        FutureId id = FutureId.ofKey("default", "again");
        for (int life = 1; life <= 3; life++) {
            submit(SubmitRequest.newBuilder()
                    .addFutures(
                            SubmittedFuture.newBuilder().setId(Ids.bytes(id)).setJob("again"))
                    .build());
            finish(true);

            assertThat(check().violations()).as("life %s", life).isEmpty();
            assertThat(delete(id)).containsExactly(id);
        }
    }

    @Test
    void whoHasMadeACopyOfWhatWasDeletedMeanwhileIsToldToDeleteIt() {
        write(MemberRecord.newBuilder()
                .setIncarnation(4)
                .setState(dev.ratchet.protocol.membership.v1.State.STATE_HEALTHY));
        CopyRecords records = new CopyRecords(store, members);
        FutureId id = submit(List.of(), 0);
        List<Claimed> claims = claimAll();
        ObjectName name = ObjectName.of(id, claims.getFirst().token());
        settle(claims, true);
        Copy copy = Copy.newBuilder().setSeat(OTHER).setIncarnation(4).build();
        Copy former = copy.toBuilder().setIncarnation(3).build();

        assertThat(records.add(name, copy).join()).isTrue();
        assertThat(left()).noneMatch(path -> path.startsWith("futures/garbage/"));
        assertThat(records.keepOnly(name, copy).join()).isTrue();
        delete(id);
        store.runPlain(transaction -> {
                    transaction.clear(keys.garbage.range());
                    transaction.clear(keys.mailbox.range());
                    return CompletableFuture.<Void>completedFuture(null);
                })
                .join();

        assertThat(records.add(name, former).join()).isFalse();
        assertThat(left()).as("of who is gone").noneMatch(path -> path.startsWith("futures/garbage/"));
        assertThat(records.add(name, copy).join()).isFalse();
        assertThat(left())
                .contains("futures/garbage/" + OTHER + "/4/" + id + "/" + name.epoch())
                .anyMatch(path -> path.startsWith("futures/mailbox/" + OTHER));
    }

    private void write(MemberRecord.Builder member) {
        store.runPlain(transaction -> {
                    new StoredMembers(keyspace).write(transaction, OTHER, member.build());
                    return CompletableFuture.<Void>completedFuture(null);
                })
                .join();
    }

    @Test
    void whatHasNotRunIsCancelledAndDeleted() {
        FutureId upstream = submit(List.of(), 0);
        FutureId waiting = submit(List.of(upstream), 0);

        assertThat(delete(upstream, waiting)).containsExactly(upstream, waiting);

        claimAll();
        assertThat(left()).isEmpty();
    }

    @Test
    void whatOthersWereComputedFromStaysAsAnEmptyRecordUntilTheyGo() {
        FutureId upstream = submit(List.of(), 0);
        finish(false);
        FutureId downstream = submit(List.of(upstream), 0);
        finish(false);

        delete(upstream);

        assertThat(record(upstream).orElseThrow().getState()).isEqualTo(State.STATE_DELETED);
        assertThat(record(downstream).orElseThrow().getState()).isEqualTo(State.STATE_REALIZED);
        delete(downstream);
        assertThat(left()).isEmpty();
    }

    @Test
    void whatWaitsForADeletedFutureFails() {
        FutureId upstream = submit(List.of(), 0);
        FutureId downstream = submit(List.of(upstream), 0);

        delete(upstream);

        assertThat(record(downstream).orElseThrow().getState()).isEqualTo(State.STATE_QUEUED);
        FutureId late = submit(List.of(upstream), 0);
        assertThat(record(late).orElseThrow().getState()).isEqualTo(State.STATE_FAILED);
    }

    @Test
    void aRetentionEndsAfterItsTimeAndNotBefore() {
        FutureId id = submit(List.of(), RETENTION_MILLIS);
        finish(false);

        environment.pass(RETENTION_MILLIS / 2);
        collectAll();
        assertThat(record(id)).isPresent();

        environment.pass(RETENTION_MILLIS);
        collectAll();
        assertThat(left()).isEmpty();
    }

    @Test
    void theLineageOfALivingFutureIsKeptWithoutItsBytes() {
        FutureId upstream = submit(List.of(), RETENTION_MILLIS);
        finish(true);
        FutureId downstream = submit(List.of(upstream), 0);

        environment.pass(2 * RETENTION_MILLIS);
        collectAll();
        assertThat(record(upstream).orElseThrow().getState())
                .as("while the downstream needs the value")
                .isEqualTo(State.STATE_REALIZED);

        finish(false);
        environment.pass(4 * RETENTION_MILLIS); // it is looked at again once it has been kept twice as long as it was
        collectAll();
        assertThat(record(upstream).orElseThrow().getState()).isEqualTo(State.STATE_LOST);

        delete(downstream);
        collectAll();
        assertThat(left()).allMatch(path -> path.startsWith("futures/garbage/"));
    }

    @Test
    void whatAClientHoldsIsKeptUntilItLetsGoOrItsLeaseEnds() {
        ByteString one = connect();
        ByteString other = connect();
        FutureId first =
                submit(List.of(), RETENTION_MILLIS, SubmittedFuture.newBuilder().setClient(one));
        FutureId second =
                submit(List.of(), RETENTION_MILLIS, SubmittedFuture.newBuilder().setClient(one));
        FutureId nobodys = submit(List.of(), RETENTION_MILLIS);
        assertThat(holders().hold(other, List.of(second), false).join()).containsExactly(second);
        finish(false);
        environment.pass(2 * RETENTION_MILLIS);

        collectAll();
        assertThat(record(nobodys)).isEmpty();
        assertThat(record(first)).isPresent();
        assertThat(check().violations()).isEmpty();

        letGo(one, first);
        collectAll();
        assertThat(record(first)).isEmpty();

        end(one);
        collectAll();
        assertThat(record(second)).as("which another client holds, too").isPresent();

        end(other);
        collectAll();
        assertThat(left()).isEmpty();
    }

    @Test
    void whatAnEndedClientHeldIsFoundBySweepsToo() {
        ByteString client = connect();
        FutureId id =
                submit(List.of(), RETENTION_MILLIS, SubmittedFuture.newBuilder().setClient(client));
        finish(false);
        environment.pass(2 * RETENTION_MILLIS);
        collectAll();
        assertThat(record(id)).isPresent();

        leases.end(Holders.client(client)).join();
        holders().releaseForgotten().join();
        collectAll();
        assertThat(left()).isEmpty();
    }

    @Test
    void aNameKeepsAFutureUntilItIsBoundToAnotherOrTakenAway() {
        FutureId first = submit(List.of(), RETENTION_MILLIS);
        FutureId second = submit(List.of(), RETENTION_MILLIS);
        finish(true);
        holders().bind("default", "current", first).join();
        environment.pass(2 * RETENTION_MILLIS);
        collectAll();
        assertThat(record(first)).isPresent();
        assertThat(record(second)).isEmpty();

        FutureId third = submit(List.of(), RETENTION_MILLIS);
        finish(false);
        holders().bind("default", "current", third).join();
        holders().bind("default", "current", third).join();
        assertThat(holders().bound("default", "current").join()).contains(third);
        environment.pass(2 * RETENTION_MILLIS);
        collectAll();
        assertThat(record(first)).isEmpty();
        assertThat(record(third)).isPresent();

        assertThat(holders().unbind("default", "current").join()).contains(third);
        collectAll();
        assertThat(left()).allMatch(path -> path.startsWith("futures/garbage/"));
    }

    @Test
    void whatATaskHasSubmittedIsKeptWhileItRuns() {
        FutureId parent = submit(List.of(), 0);
        List<Claimed> running = claimAll();
        FutureId child =
                submit(List.of(), RETENTION_MILLIS, SubmittedFuture.newBuilder().setParent(Ids.bytes(parent)));
        finish(false);
        environment.pass(2 * RETENTION_MILLIS);
        collectAll();
        assertThat(record(child)).isPresent();

        settle(running, false);
        environment.pass(600_000);
        collectAll();
        assertThat(record(child)).isEmpty();
        delete(parent);
        assertThat(left()).isEmpty();
    }

    @Test
    void aLongChainPastItsRetentionGoesFromItsEnd() {
        FutureId before = submit(List.of(), RETENTION_MILLIS);
        for (int i = 0; i < 50; i++) {
            before = submit(List.of(before), RETENTION_MILLIS);
        }
        while (finish(false) > 0) {
            // one link of the chain at a time
        }
        environment.pass(2 * RETENTION_MILLIS);

        collectAll();

        assertThat(left()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void nothingThatIsNeededGoesAndEverythingElseDoes(long seed) {
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        FaultyDatabase faulty = new FaultyDatabase(database, random, 20);
        store = new FutureStore(faulty.database(), keys, environment);
        Model model = new Model(random);
        for (int step = 0; step < 120; step++) {
            switch (random.nextInt(8)) {
                case 0, 1 -> model.submitOne();
                case 2 -> model.submitBlock();
                case 3 -> finish(random.nextBoolean());
                case 4 -> {
                    environment.pass(random.nextLong(RETENTION_MILLIS * 3 / 2));
                    collectAll();
                }
                case 5 -> model.endOneClient();
                case 6 -> model.nameOneOrNone();
                default -> model.deleteOne();
            }
            model.requireWhatIsNeeded(step);
            assertThat(check().violations()).as("step %s", step).isEmpty();
        }
        while (finish(false) > 0) {
            // until nothing waits
        }
        model.all.forEach(this::delete);
        assertThat(left()).allMatch(path -> path.startsWith("futures/garbage/"));
        assertThat(faulty.unknownOutcomes.get()).isPositive();
    }

    /** A future is there until it was deleted, or until it is done, its time is over, and nobody uses it. */
    private final class Model {

        private final Random random;
        private final List<FutureId> all = new ArrayList<>();
        private final Map<FutureId, List<FutureId>> lineage = new HashMap<>();
        private final Set<FutureId> deleted = new LinkedHashSet<>();
        private final Set<FutureId> kept = new LinkedHashSet<>();
        private final Map<FutureId, ByteString> held = new HashMap<>();
        private final Set<FutureId> named = new LinkedHashSet<>();

        Model(Random random) {
            this.random = random;
        }

        void submitOne() {
            List<FutureId> upstreams = all.stream()
                    .filter(id -> !deleted.contains(id) && record(id).isPresent())
                    .filter(id -> random.nextInt(5) == 0)
                    .toList();
            boolean forEver = random.nextInt(3) == 0;
            ByteString client = random.nextBoolean() ? connect() : ByteString.EMPTY;
            FutureId id = submit(
                    upstreams,
                    forEver ? 0 : RETENTION_MILLIS,
                    SubmittedFuture.newBuilder().setClient(client));
            if (forEver) {
                kept.add(id);
            }
            if (!client.isEmpty()) {
                held.put(id, client);
            }
            lineage.put(id, upstreams);
            all.add(id);
        }

        void submitBlock() {
            boolean forEver = random.nextInt(3) == 0;
            ByteString client = random.nextBoolean() ? connect() : ByteString.EMPTY;
            for (FutureId id : CollectionTest.this.submitBlock(3, forEver ? 0 : RETENTION_MILLIS, client)) {
                if (forEver) {
                    kept.add(id);
                }
                if (!client.isEmpty()) {
                    held.put(id, client);
                }
                lineage.put(id, List.of());
                all.add(id);
            }
        }

        void endOneClient() {
            if (held.isEmpty()) {
                return;
            }
            FutureId id = held.keySet().iterator().next();
            ByteString client = held.get(id);
            if (random.nextBoolean()) {
                letGo(client, id);
                held.remove(id);
            } else {
                end(client);
                held.values().removeIf(client::equals);
            }
        }

        void nameOneOrNone() {
            if (!named.isEmpty() && random.nextBoolean()) {
                holders().unbind("default", "best").join();
                named.clear();
            } else if (!all.isEmpty()) {
                FutureId chosen = all.get(random.nextInt(all.size()));
                if (record(chosen).isPresent() && !deleted.contains(chosen)) {
                    holders().bind("default", "best", chosen).join();
                    named.clear();
                    named.add(chosen);
                }
            }
        }

        void deleteOne() {
            if (!all.isEmpty() && random.nextInt(3) == 0) {
                FutureId chosen = all.get(random.nextInt(all.size()));
                delete(chosen);
                deleted.add(chosen);
                kept.remove(chosen);
                held.remove(chosen);
                named.remove(chosen);
            }
        }

        void requireWhatIsNeeded(int step) {
            for (FutureId id : all) {
                boolean needed = kept.contains(id)
                        || held.containsKey(id)
                        || named.contains(id)
                        || all.stream().anyMatch(user -> uses(user, id));
                assertThat(record(id).isPresent() || !needed)
                        .as("step %s: %s is needed and there", step, id)
                        .isTrue();
            }
        }

        private boolean uses(FutureId user, FutureId id) {
            return lineage.get(user).contains(id)
                    && record(user)
                            .filter(known -> known.getState() != State.STATE_DELETED)
                            .isPresent();
        }
    }

    @Test
    void manyFuturesPastTheirRetentionLeaveNoKey() {
        int thousands = Integer.getInteger("ratchet.futures", 10_000) / 1_000;
        for (int i = 0; i < thousands; i++) {
            SubmitRequest.Builder request = SubmitRequest.newBuilder();
            for (int j = 0; j < 1_000; j++) {
                request.addFutures(SubmittedFuture.newBuilder()
                        .setId(Ids.bytes(FutureId.random()))
                        .setJob("mass")
                        .setName("mass " + j)
                        .setSchedulingSpec(SchedulingSpec.newBuilder().setRetentionMillis(RETENTION_MILLIS)));
            }
            submission().submit(request.build(), Optional.empty()).join();
        }
        while (finish(false) > 0) {
            // claims and realizes them all
        }
        environment.pass(2 * RETENTION_MILLIS);

        long began = System.nanoTime();
        collectAll();
        System.out.println(
                thousands * 1_000 + " futures collected in " + (System.nanoTime() - began) / 1_000_000 + " ms");

        assertThat(left()).isEmpty();
    }
}
