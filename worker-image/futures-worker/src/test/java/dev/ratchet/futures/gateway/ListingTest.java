/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.protocol.client.v1.ListReply;
import dev.ratchet.protocol.client.v1.ListRequest;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every listing against a look at each future there is. */
class ListingTest {

    private static final List<State> STATES = List.of(
            State.STATE_WAITING,
            State.STATE_DELAYED,
            State.STATE_QUEUED,
            State.STATE_ASSIGNED,
            State.STATE_CLAIMED,
            State.STATE_REALIZED,
            State.STATE_FAILED,
            State.STATE_CANCELLED,
            State.STATE_LOST,
            State.STATE_DELETED);

    private final SystemEnvironment environment = new SystemEnvironment();
    private final FutureKeys keys = new FutureKeys(new Keyspace("test/listing"));
    private final FutureStore store = new FutureStore(StoreUnderTest.open(environment), keys, environment);
    private final Map<FutureId, FutureRecord> truth = new HashMap<>();

    @AfterEach
    void close() {
        environment.close();
    }

    @Test
    void eachFilterFindsWhatALookAtEachFutureFinds() {
        long seed = Long.getLong("ratchet.seed", System.nanoTime());
        System.out.println("ratchet.seed=" + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 4; round++) {
            for (int batch = 0; batch < 6; batch++) {
                change(random, 60);
            }
            for (int listing = 0; listing < 120; listing++) {
                ListRequest request = request(random);
                assertThat(list(request)).as("%s", request).isEqualTo(wanted(request));
            }
        }
        for (FutureId id : List.copyOf(truth.keySet())) {
            run(futures -> futures.load(id).join().orElseThrow().remove());
        }
        truth.clear();
        assertThat(list(ListRequest.getDefaultInstance())).isEmpty();
        store.read(transaction -> transaction
                        .getRange(keys.named.range())
                        .asList()
                        .thenAccept(names ->
                                assertThat(names).as("names nobody has").isEmpty()))
                .join();
    }

    @Test
    void aListingOfSeveralPagesIsOfOneVersion() {
        Random random = new Random(7);
        change(random, 200);
        ListRequest request = ListRequest.newBuilder().setJob("a").setLimit(5).build();
        Set<FutureId> then = wanted(request);
        Listing listing = new Listing(store);
        Set<FutureId> found = new HashSet<>();
        ListReply page = listing.page(request).join();
        while (true) {
            page.getFuturesList().forEach(future -> assertThat(found.add(Ids.of(future.getId())))
                    .isTrue());
            if (page.getNext().isEmpty()) {
                break;
            }
            change(random, 20);
            page = listing.page(request.toBuilder().setAfter(page.getNext()).build())
                    .join();
        }
        assertThat(found).isEqualTo(then);
    }

    @Test
    void theFirstPageReadsWhatItShowsHoweverManyFuturesThereAre() {
        int futures = Integer.getInteger("ratchet.futures", 3_000);
        Random random = new Random(3);
        for (int from = 0; from < futures; from += 500) {
            run(some -> {
                for (int i = 0; i < 500; i++) {
                    create(some, random);
                }
            });
        }
        Listing listing = new Listing(store);
        for (ListRequest request : List.of(
                ListRequest.getDefaultInstance(),
                ListRequest.newBuilder().setJob("a").build(),
                ListRequest.newBuilder()
                        .setTenant("t")
                        .addStates(State.STATE_REALIZED)
                        .build())) {
            List<Long> micros = new ArrayList<>();
            int found = 0;
            for (int i = 0; i < Math.clamp(futures / 5_000, 1, 100); i++) {
                long began = System.nanoTime();
                found = listing.page(request).join().getFuturesCount();
                micros.add((System.nanoTime() - began) / 1_000);
            }
            Collections.sort(micros);
            System.out.printf(
                    "first page of %d among %d: p50 %d µs, longest %d µs%n",
                    found, futures, micros.get(micros.size() / 2), micros.getLast());
            assertThat(found).isEqualTo(Math.min(1_000, wanted(request).size()));
        }
    }

    /** Creates, changes and removes some futures in one transaction. */
    private void change(Random random, int count) {
        run(futures -> {
            for (int i = 0; i < count; i++) {
                List<FutureId> known = new ArrayList<>(truth.keySet());
                if (known.isEmpty() || random.nextInt(3) > 0) {
                    create(futures, random);
                } else {
                    FutureId id = known.get(random.nextInt(known.size()));
                    LoadedFuture future = futures.load(id).join().orElseThrow();
                    if (!future.isRemoved() && random.nextInt(4) == 0) {
                        leave(futures, future);
                        future.remove();
                        truth.remove(id);
                    } else if (!future.isRemoved()) {
                        leave(futures, future);
                        enter(futures, future, random);
                    }
                }
            }
        });
    }

    private void create(FutureTransaction futures, Random random) {
        FutureId id = new FutureId(new java.util.UUID(random.nextLong(), random.nextLong()));
        LoadedFuture future = futures.create(
                id,
                FutureRecord.newBuilder()
                        .setJob(one(random, "a", "b", "c"))
                        .setName(one(random, "", "n", "m", "m of " + random.nextInt(5)))
                        .setSchedulingSpec(SchedulingSpec.newBuilder().setTenant(one(random, "", "t", "u"))));
        enter(futures, future, random);
    }

    private void leave(FutureTransaction futures, LoadedFuture future) {
        if (future.state() == State.STATE_CLAIMED) {
            ClaimToken claim = future.record().getClaim();
            futures.transaction()
                    .clear(keys.claims.key(
                            claim.getSeat(), claim.getIncarnation(), future.id().value()));
        }
    }

    private void enter(FutureTransaction futures, LoadedFuture future, Random random) {
        State state = STATES.get(random.nextInt(STATES.size()));
        future.change().setState(state);
        if (state == State.STATE_CLAIMED || (state == State.STATE_REALIZED && random.nextInt(3) > 0)) {
            String seat = one(random, "w-0", "w-1", "w-10");
            future.change().setClaim(ClaimToken.newBuilder().setSeat(seat).setIncarnation(random.nextInt(2)));
        }
        if (state == State.STATE_CLAIMED) {
            ClaimToken claim = future.record().getClaim();
            futures.transaction()
                    .set(
                            keys.claims.key(
                                    claim.getSeat(),
                                    claim.getIncarnation(),
                                    future.id().value()),
                            FutureKeys.PRESENT);
        }
        truth.put(future.id(), future.record().build());
    }

    private static String one(Random random, String... values) {
        return values[random.nextInt(values.length)];
    }

    private static ListRequest request(Random random) {
        ListRequest.Builder request = ListRequest.newBuilder().setLimit(1 + random.nextInt(40));
        for (int states = random.nextInt(4) - 1; states > 0; states--) {
            request.addStates(STATES.get(random.nextInt(STATES.size())));
        }
        return request.setJob(one(random, "", "", "a", "b", "nowhere"))
                .setTenant(one(random, "", "", "", "default", "t"))
                .setName(one(random, "", "", "", "n", "m", "m of 3"))
                .setSeat(one(random, "", "", "", "w-0", "w-1"))
                .build();
    }

    private Set<FutureId> wanted(ListRequest request) {
        return truth.entrySet().stream()
                .filter(entry -> {
                    FutureRecord record = entry.getValue();
                    String tenant = record.getSchedulingSpec().getTenant();
                    return (request.getStatesCount() == 0
                                    || request.getStatesList().contains(record.getState()))
                            && isAsked(request.getJob(), record.getJob())
                            && isAsked(request.getTenant(), tenant.isEmpty() ? "default" : tenant)
                            && isAsked(request.getName(), record.getName())
                            && isAsked(request.getSeat(), record.getClaim().getSeat());
                })
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private static boolean isAsked(String asked, String value) {
        return asked.isEmpty() || asked.equals(value);
    }

    private Set<FutureId> list(ListRequest request) {
        Listing listing = new Listing(store);
        Set<FutureId> found = new HashSet<>();
        ListReply page;
        ListRequest next = request;
        do {
            page = listing.page(next).join();
            assertThat(page.getFuturesCount())
                    .isLessThanOrEqualTo(request.getLimit() == 0 ? 1_000 : request.getLimit());
            page.getFuturesList().forEach(future -> assertThat(found.add(Ids.of(future.getId())))
                    .isTrue());
            next = next.toBuilder().setAfter(page.getNext()).build();
        } while (!page.getNext().isEmpty());
        return found;
    }

    private void run(java.util.function.Consumer<FutureTransaction> change) {
        store.run(futures -> {
                    change.accept(futures);
                    return CompletableFuture.<Void>completedFuture(null);
                })
                .join();
    }
}
