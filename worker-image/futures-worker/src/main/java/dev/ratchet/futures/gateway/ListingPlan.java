/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.FutureIndex;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.client.v1.ListRequest;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.store.keyspace.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Which ranges a listing reads, in the order of their keys: the fewest that hold all it wants, each future in one of
 * them. What the ranges hold beside is left out by looking at the records. Immutable.
 */
record ListingPlan(List<Part> parts) {

    /** Jobs in which futures of one name are looked up; of more of them all futures of the wanted phases are read. */
    private static final int PLACES_MAX = 1_000;

    /** A range of a table; each of its keys ends with the id of a future. */
    record Part(Table<?> table, Range range) {

        /** The future, or the block, that one of its keys is about. */
        FutureId future(KeyValue pair) {
            Tuple elements = table.elements(pair.getKey());
            return new FutureId(elements.getUUID(elements.size() - 1));
        }
    }

    ListingPlan {
        parts = parts.stream()
                .sorted(Comparator.comparing(part -> part.range().begin, ByteArrayUtil::compareUnsigned))
                .toList();
    }

    /** Reads what the plan depends on. */
    static CompletableFuture<ListingPlan> of(ListRequest request, FutureKeys keys, ReadTransaction transaction) {
        if (!request.getParent().isEmpty()) {
            return whole(
                    keys.children,
                    keys.children.range(Ids.of(request.getParent()).value()));
        }
        if (request.getStatesList().equals(List.of(State.STATE_CLAIMED))) {
            return whole(
                    keys.claims,
                    request.getSeat().isEmpty() ? keys.claims.range() : keys.claims.range(request.getSeat()));
        }
        if (!request.getName().isEmpty()) {
            return first(transaction, keys.named.range(request.getName()), PLACES_MAX + 1)
                    .thenApply(places -> places.size() > PLACES_MAX
                            ? byPhase(request, keys)
                            : byName(
                                    request,
                                    keys,
                                    places.stream()
                                            .map(place -> keys.named.elements(place.getKey()))
                                            .toList()));
        }
        if (!request.getSeat().isEmpty()) {
            return CompletableFuture.completedFuture(bySeat(request, keys));
        }
        if (!request.getJob().isEmpty() && request.getTenant().isEmpty()) {
            return first(transaction, keys.counts.range(request.getJob(), "tenant"), PLACES_MAX)
                    .thenApply(tenants -> byTenants(request, keys, tenants));
        }
        if (request.getTenant().isEmpty() && request.getStatesCount() == 0) {
            return whole(keys.records, keys.records.range());
        }
        return CompletableFuture.completedFuture(byPhase(request, keys));
    }

    private static CompletableFuture<ListingPlan> whole(Table<?> table, Range range) {
        return CompletableFuture.completedFuture(new ListingPlan(List.of(new Part(table, range))));
    }

    private static ListingPlan byName(ListRequest request, FutureKeys keys, List<Tuple> places) {
        List<Part> parts = new ArrayList<>();
        for (Tuple place : places) {
            String tenant = place.getString(1);
            String job = place.getString(2);
            if (isWanted(request.getTenant(), tenant) && isWanted(request.getJob(), job)) {
                for (long phase : phases(request)) {
                    parts.add(new Part(keys.listed, keys.listed.range(phase, tenant, job, request.getName())));
                }
            }
        }
        return new ListingPlan(parts);
    }

    private static ListingPlan bySeat(ListRequest request, FutureKeys keys) {
        List<Part> parts = new ArrayList<>();
        parts.add(new Part(keys.claims, keys.claims.range(request.getSeat())));
        for (long phase : phases(request)) {
            parts.add(new Part(
                    keys.ran,
                    request.getJob().isEmpty()
                            ? keys.ran.range(phase, request.getSeat())
                            : keys.ran.range(phase, request.getSeat(), request.getJob())));
        }
        return new ListingPlan(parts);
    }

    private static ListingPlan byTenants(ListRequest request, FutureKeys keys, List<KeyValue> tenants) {
        List<Part> parts = new ArrayList<>();
        for (KeyValue tenant : tenants) {
            String name = keys.counts.elements(tenant.getKey()).getString(2);
            for (long phase : phases(request)) {
                parts.add(new Part(keys.listed, keys.listed.range(phase, name, request.getJob())));
            }
        }
        return new ListingPlan(parts);
    }

    private static ListingPlan byPhase(ListRequest request, FutureKeys keys) {
        List<Object> below = new ArrayList<>();
        if (!request.getTenant().isEmpty()) {
            below.add(request.getTenant());
            if (!request.getJob().isEmpty()) {
                below.add(request.getJob());
            }
        }
        List<Part> parts = new ArrayList<>();
        for (long phase : phases(request)) {
            List<Object> prefix = new ArrayList<>(List.of(phase));
            prefix.addAll(below);
            parts.add(new Part(keys.listed, keys.listed.range(prefix.toArray())));
        }
        return new ListingPlan(parts);
    }

    private static List<Long> phases(ListRequest request) {
        Set<State> wanted = EnumSet.noneOf(State.class);
        request.getStatesList().forEach(state -> wanted.add(FutureIndex.phase(state)));
        return FutureIndex.PHASES.stream()
                .filter(phase -> wanted.isEmpty() || wanted.contains(phase))
                .map(phase -> (long) phase.getNumber())
                .toList();
    }

    private static boolean isWanted(String asked, String found) {
        return asked.isEmpty() || asked.equals(found);
    }

    private static CompletableFuture<List<KeyValue>> first(ReadTransaction transaction, Range range, int limit) {
        return transaction.getRange(range, limit, false, StreamingMode.WANT_ALL).asList();
    }
}
