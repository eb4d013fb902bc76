/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.submit;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.RetryPolicy;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.futures.settle.Dependents;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What of a request can not be recorded, and why: by itself, or beside what is known. Pure. */
final class RequestRefusals {

    private RequestRefusals() {}

    /** Those that are sound by themselves; the others are added to {@code refused}. */
    static Map<FutureId, SubmittedFuture> accepted(List<SubmittedFuture> futures, Map<FutureId, String> refused) {
        Map<FutureId, SubmittedFuture> submitted = new LinkedHashMap<>();
        for (SubmittedFuture future : futures) {
            FutureId id = Ids.of(future.getId());
            if (submitted.containsKey(id) || refused.containsKey(id)) {
                continue; // The first one with a key counts.
            }
            Optional<String> problem = problem(future);
            if (BlockIds.isBlock(id)) {
                refused.put(id, "This is the id of a block. Let random() or ofKey() choose ids.");
            } else if (problem.isPresent()) {
                refused.put(id, problem.get());
            } else {
                submitted.put(id, future);
            }
        }
        return submitted;
    }

    /** What is wrong with a future by itself, if anything is. */
    static Optional<String> problem(SubmittedFuture future) {
        if (future.getUpstreamsCount() > Dependents.UPSTREAMS_MAX) {
            return Optional.of("A future has at most " + Dependents.UPSTREAMS_MAX + " upstreams, not "
                    + future.getUpstreamsCount() + ". Reduce in several levels.");
        }
        if (future.getName().length() > SubmitOptions.NAME_LENGTH_MAX
                || future.getJob().length() > SubmitOptions.NAME_LENGTH_MAX
                || future.getJob().isEmpty()) {
            return Optional.of("Name and job have at most " + SubmitOptions.NAME_LENGTH_MAX
                    + " characters, and a job has at least one.");
        }
        if (future.getMaxRetries() < 0 || future.getMaxRetries() > RetryPolicy.RETRIES_MAX) {
            return Optional.of(
                    "maxRetries must be 0 to " + RetryPolicy.RETRIES_MAX + ", and is " + future.getMaxRetries() + ".");
        }
        if (future.hasValue()
                && (!ValueRegistration.isInline(future.getValue().size())
                        || !future.getFunction().isEmpty()
                        || future.getUpstreamsCount() > 0
                        || !future.getActor().isEmpty())) {
            return Optional.of("A value that is submitted has at most " + ValueSizes.INLINE_BYTES_MAX
                    + " bytes, no code, no upstreams and no actor. Put larger ones.");
        }
        if (future.getSchedulingSpec().hasSession()
                && (future.hasValue() || !future.getActor().isEmpty())) {
            return Optional.of("A session runs tasks: no values and no calls of actors.");
        }
        return SchedulingSpecs.problem(future.getSchedulingSpec());
    }

    /** Refuses what can not be recorded beside these blocks and what is known, whatever comes of the rest. */
    static void refuse(
            Map<FutureId, SubmittedFuture> submitted,
            Set<FutureId> blocks,
            Map<FutureId, LoadedFuture> known,
            Set<ByteString> cancelledParents,
            Map<FutureId, String> refused) {
        Set<FutureId> there = new HashSet<>(known.keySet());
        there.addAll(blocks);
        submitted.forEach((id, future) -> {
            if (known.containsKey(id)) {
                return;
            }
            if (BlockIds.isInBlock(id) && there.contains(BlockIds.blockOf(id))) {
                refused.put(id, "This is an id of a block that has no such future any more, or never had.");
            } else if (cancelledParents.contains(future.getParent())) {
                refused.put(id, "The task " + Ids.of(future.getParent()) + " that submits it was cancelled.");
            } else if (!isUnknown(upstreams(future), there, id, refused)) {
                there.add(id);
            }
        });
    }

    /** Whether one of the upstreams is; then refuses what takes it. */
    static boolean isUnknown(Set<FutureId> upstreams, Set<FutureId> known, FutureId id, Map<FutureId, String> refused) {
        Optional<FutureId> unknown =
                upstreams.stream().filter(upstream -> !known.contains(upstream)).findFirst();
        unknown.ifPresent(one -> refused.put(id, "The upstream " + one + " is not known to this cluster."));
        return unknown.isPresent();
    }

    /** What it depends on. */
    static Set<FutureId> upstreams(SubmittedFuture future) {
        Set<FutureId> upstreams = new LinkedHashSet<>();
        future.getUpstreamsList().forEach(upstream -> upstreams.add(Ids.of(upstream)));
        return upstreams;
    }
}
