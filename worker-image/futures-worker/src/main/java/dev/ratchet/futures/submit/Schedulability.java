/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.submit;

import com.apple.foundationdb.async.AsyncUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.queue.Ancestors;
import dev.ratchet.futures.queue.Demand;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Whether any worker can run what is submitted, by the members at one version. What none can is refused at once, unless
 * it waits for capacity; the caller leaves that out.
 */
final class Schedulability {

    private Schedulability() {}

    /** What many futures of one task have in common. */
    private record Asked(Demand demand, ByteString parent) {}

    /** Those that no member can run, at all or beside the tasks that submit them, with the reasons. */
    static CompletableFuture<Map<FutureId, String>> unschedulable(
            FutureTransaction futures, Members members, Map<FutureId, SubmittedFuture> asked) {
        Map<ByteString, CompletableFuture<Ancestors>> reads = new HashMap<>();
        asked.values()
                .forEach(future -> reads.computeIfAbsent(
                        future.getParent(),
                        parent -> Ancestors.of(futures.transaction().snapshot(), futures.keys(), parent)));
        return members.all(futures.transaction().snapshot())
                .thenCombine(AsyncUtil.whenAll(reads.values()), (all, unused) -> {
                    Map<Asked, Optional<String>> problems = new HashMap<>();
                    Map<FutureId, String> unschedulable = new HashMap<>();
                    asked.forEach((id, future) -> problems.computeIfAbsent(
                                    new Asked(Demand.of(future.getSchedulingSpec()), future.getParent()),
                                    one -> problem(one, reads, all))
                            .ifPresent(reason -> unschedulable.put(id, reason)));
                    return unschedulable;
                });
    }

    private static Optional<String> problem(
            Asked asked, Map<ByteString, CompletableFuture<Ancestors>> ancestors, List<Member> all) {
        return asked.demand().problem(all).or(() -> Optional.ofNullable(ancestors.get(asked.parent()))
                .flatMap(above -> above.join().problem(asked.demand(), all)));
    }
}
