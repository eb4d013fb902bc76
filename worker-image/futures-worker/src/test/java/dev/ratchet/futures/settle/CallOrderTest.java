/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.record.GivenFutures;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How many calls of an actor run at once, whatever each of them allows and in whatever order they end. */
class CallOrderTest {

    private static final int CALLS = 60;
    private static final int LIMIT_MAX = 5;

    private final List<LoadedFuture> order = new ArrayList<>();
    private final List<LoadedFuture> waiting = new ArrayList<>();
    private final List<LoadedFuture> running = new ArrayList<>();
    private final Map<FutureId, List<LoadedFuture>> behind = new HashMap<>();
    private List<LoadedFuture> last = new ArrayList<>();

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noCallBeginsBesideMoreThanItAllowsOfThoseBeforeIt(long seed) {
        Random random = new Random(seed);
        int made = 0;
        while (made < CALLS || !running.isEmpty()) {
            if (made < CALLS && random.nextInt(5) < 3) {
                made++;
                add(2 + random.nextInt(LIMIT_MAX - 1));
            } else if (!running.isEmpty()) {
                running.remove(random.nextInt(running.size())).record().setState(State.STATE_REALIZED);
            }
            begin();
        }
        assertThat(waiting).isEmpty();
    }

    private void add(int limit) {
        FutureRecord.Builder record = FutureRecord.newBuilder()
                .setState(State.STATE_WAITING)
                .setArgumentKind(ArgumentKind.ARGUMENT_KIND_ACTOR);
        record.getSchedulingSpecBuilder().setConcurrentCallsMax(limit);
        LoadedFuture call = GivenFutures.of(FutureId.random(), record);
        CallOrder.Place place = CallOrder.place(call, last);
        behind.put(call.id(), place.behind());
        last = last.stream()
                .filter(former -> place.last().contains(former.id()))
                .collect(Collectors.toCollection(ArrayList::new));
        last.add(call);
        assertThat(last).hasSizeLessThanOrEqualTo(LIMIT_MAX);
        order.add(call);
        waiting.add(call);
    }

    private void begin() {
        for (LoadedFuture call : List.copyOf(waiting)) {
            if (behind.get(call.id()).stream().allMatch(former -> former.state() == State.STATE_REALIZED)) {
                assertThat(running)
                        .filteredOn(other -> order.indexOf(other) < order.indexOf(call))
                        .hasSizeLessThan(call.record().getSchedulingSpec().getConcurrentCallsMax());
                waiting.remove(call);
                running.add(call);
            }
        }
    }
}
