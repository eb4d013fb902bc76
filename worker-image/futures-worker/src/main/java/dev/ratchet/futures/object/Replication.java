/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.object.ObjectStore.Stored;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.objects.v1.AdoptRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes copies of objects: some worker fetches the bytes from one that holds them. A copy counts only once a record
 * names it, which is the caller's business; until then it is bytes that the worker deletes after a while. Safe for use
 * by several threads.
 */
public final class Replication {

    private static final Logger LOG = LoggerFactory.getLogger(Replication.class);

    /** The resource by which a worker says at each beat how much room its object store has. */
    public static final String FREE_BYTES = "objectStoreBytes";

    /** How much of that it leaves to second copies of what can be computed again. */
    public static final String SECOND_COPY_BYTES = "secondCopyBytes";

    /** Workers asked to take one object before it is given up. */
    private static final int TRIES = 3;

    private final Environment environment;
    private final Seat seat;
    private final Liveness liveness;
    private final ObjectLocator locator;
    private final ObjectClient client;

    public Replication(
            Environment environment, Seat seat, Liveness liveness, ObjectLocator locator, ObjectClient client) {
        this.environment = environment;
        this.seat = seat;
        this.liveness = liveness;
        this.locator = locator;
        this.client = client;
    }

    /** A copy with any healthy worker that is not {@code excluded}; none if nobody can take it. */
    public CompletableFuture<Optional<Copy>> copy(Stored object, String source, Set<String> excluded) {
        return copy(object, source, new HashSet<>(excluded), this::freeBytes, TRIES);
    }

    /** A second copy with any healthy worker that has room for such ones, as {@link #copy} otherwise. */
    public CompletableFuture<Optional<Copy>> secondCopy(Stored object, String source) {
        return copy(
                object,
                source,
                new HashSet<>(Set.of(source)),
                member -> member.freeResources().getOrDefault(SECOND_COPY_BYTES, 0L),
                TRIES);
    }

    private CompletableFuture<Optional<Copy>> copy(
            Stored object, String source, Set<String> excluded, ToLongFunction<Member> room, int tries) {
        List<Member> candidates = liveness.latest().stream()
                .filter(member -> isHealthy(member)
                        && room.applyAsLong(member) >= object.bytes()
                        && !excluded.contains(member.seat()))
                .toList();
        if (tries == 0 || candidates.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        // Those of an outgoing seat would have to move again.
        List<Member> staying = candidates.stream()
                .filter(member -> !liveness.outgoing().contains(member.seat()))
                .toList();
        List<Member> chosen = staying.isEmpty() ? candidates : staying;
        Member target = chosen.get(environment.random().nextInt(chosen.size()));
        return GuardedCallbacks.begin(() -> copyTo(target, object, source))
                .handle((copy, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(Optional.of(copy));
                    }
                    LOG.info(
                            "a worker does not take an object target={} object={} reason={}",
                            target.seat(),
                            object.name(),
                            failure.toString());
                    excluded.add(target.seat());
                    return copy(object, source, excluded, room, tries - 1);
                })
                .thenCompose(next -> next);
    }

    /** A copy with a worker that the caller has chosen. */
    public CompletableFuture<Copy> copyTo(Member target, Stored object, String source) {
        if (target.seat().equals(seat.name())) {
            return copyHere(object, source);
        }
        AdoptRequest request = AdoptRequest.newBuilder()
                .setName(ObjectsService.message(object.name()))
                .setBytes(object.bytes())
                .setChecksum(object.checksum())
                .setSourceSeat(source)
                .build();
        return client.adopt(target.seat(), target.address(), request).thenApply(reply -> Copy.newBuilder()
                .setSeat(reply.getSeat())
                .setIncarnation(reply.getIncarnation())
                .build());
    }

    /** A copy in the own store. */
    private CompletableFuture<Copy> copyHere(Stored object, String source) {
        Member holder = liveness.latest().stream()
                .filter(member -> member.seat().equals(source))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No such seat: " + source));
        return locator.copy(source, holder.address(), object.name(), object.bytes(), object.checksum())
                .thenApply(stored -> own());
    }

    /** The copy that this worker holds. */
    public Copy own() {
        return Copy.newBuilder()
                .setSeat(seat.name())
                .setIncarnation(seat.incarnation())
                .build();
    }

    /** As of its last beat. */
    private long freeBytes(Member member) {
        return member.freeResources().getOrDefault(FREE_BYTES, Long.MAX_VALUE);
    }

    private boolean isHealthy(Member member) {
        return member.state() == WorkerState.HEALTHY && !liveness.isDead(member.seat(), member.incarnation());
    }
}
