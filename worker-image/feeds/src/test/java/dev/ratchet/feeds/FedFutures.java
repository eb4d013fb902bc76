/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.feeds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ratchet.client.ViewChange;
import dev.ratchet.futures.code.CodeReader;
import dev.ratchet.futures.code.Digests;
import dev.ratchet.protocol.client.v1.PutFeedRequest;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.NamedCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Feeds whose futures nobody runs, and what these are about. */
public final class FedFutures {

    static final FunctionRecord CODE = FunctionRecord.newBuilder()
            .setNamed(NamedCode.newBuilder().setClassName("Invoices").setMethod("make"))
            .build();

    private FedFutures() {}

    /** A feed of a view whose job has the name of the feed. */
    public static PutFeedRequest.Builder request(String name, String view, int pendingMax) {
        ByteString digest = Digests.ofFunction(CODE);
        return PutFeedRequest.newBuilder()
                .setName(name)
                .setView(view)
                .setPendingMax(pendingMax)
                .setFunction(SubmittedFunction.newBuilder().setDigest(digest).setCode(CODE))
                .setTemplate(SubmittedFuture.newBuilder()
                        .setJob(name)
                        .setFunction(digest)
                        .setArgumentKind(ArgumentKind.ARGUMENT_KIND_VALUE));
    }

    /** What the futures of a job are about, by step, as rows with their weights. */
    public static Map<Long, List<String>> changes(Collection<FutureRecord> futures, String job) {
        Map<Long, Map<String, List<Integer>>> ordinals = new TreeMap<>();
        for (FutureRecord record : futures) {
            if (record.getJob().equals(job)) {
                ViewChange change = change(record);
                String row = change.row().asMap().values().stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(" "));
                ordinals.computeIfAbsent(change.step(), step -> new TreeMap<>())
                        .computeIfAbsent(row + (change.isAdded() ? " x" : " x-"), key -> new ArrayList<>())
                        .add(change.ordinal());
            }
        }
        Map<Long, List<String>> shown = new TreeMap<>();
        ordinals.forEach((step, rows) -> {
            List<String> lines = new ArrayList<>();
            rows.forEach((row, numbers) -> {
                assertThat(numbers)
                        .as("ordinals of " + row + " in step " + step)
                        .containsExactlyInAnyOrderElementsOf(
                                IntStream.range(0, numbers.size()).boxed().toList());
                lines.add(row + numbers.size());
            });
            lines.sort(null);
            shown.put(step, lines);
        });
        return shown;
    }

    private static ViewChange change(FutureRecord record) {
        try {
            return (ViewChange) CodeReader.read(record.getArgument().toByteArray(), ViewChange.class.getClassLoader());
        } catch (IOException | ClassNotFoundException e) {
            throw new AssertionError("The argument of a future is no change of a view", e);
        }
    }
}
