/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.FutureInfo;
import dev.ratchet.client.FutureQuery;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Progress;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.Failures;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.DescribeRequest;
import dev.ratchet.protocol.client.v1.FutureDescription;
import dev.ratchet.protocol.client.v1.ListReply;
import dev.ratchet.protocol.client.v1.ListRequest;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.logs.v1.TaskProgress;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What programs ask about futures. */
final class Inspection {

    private final GatewayConnection connection;

    Inspection(GatewayConnection connection) {
        this.connection = connection;
    }

    /** One future, if it is known. */
    Optional<FutureInfo> describe(FutureId id) {
        DescribeRequest request =
                DescribeRequest.newBuilder().setId(Ids.bytes(id)).build();
        try {
            return Optional.of(
                    info(GatewayConnection.await(connection.call((stub, answer) -> stub.describe(request, answer)))));
        } catch (InvalidInputException unknown) {
            return Optional.empty();
        }
    }

    /** The futures that fit, page by page as they are asked for. */
    Stream<FutureInfo> list(FutureQuery query) {
        ListRequest.Builder request = ListRequest.newBuilder();
        query.job().ifPresent(request::setJob);
        query.tenant().ifPresent(request::setTenant);
        query.name().ifPresent(request::setName);
        query.seat().ifPresent(request::setSeat);
        query.parent().ifPresent(parent -> request.setParent(Ids.bytes(parent)));
        query.states().forEach(state -> request.addStates(State.valueOf("STATE_" + state.name())));
        return Stream.iterate(page(request), Objects::nonNull, page -> next(request, page))
                .flatMap(page -> page.getFuturesList().stream())
                .map(Inspection::info);
    }

    private ListReply page(ListRequest.Builder request) {
        ListRequest asked = request.build();
        return GatewayConnection.await(connection.call((stub, answer) -> stub.list(asked, answer)));
    }

    private @Nullable ListReply next(ListRequest.Builder request, ListReply page) {
        return page.getNext().isEmpty() ? null : page(request.setAfter(page.getNext()));
    }

    private static FutureInfo info(FutureDescription future) {
        String seat = future.getClaim().getSeat();
        return new FutureInfo(
                Ids.of(future.getId()),
                FutureState.valueOf(Lifecycle.word(future.getState())),
                future.getName(),
                future.getJob(),
                future.getTenant(),
                future.getPriority(),
                future.getParent().isEmpty() ? Optional.empty() : Optional.of(Ids.of(future.getParent())),
                future.getAttempts(),
                future.getMaxRetries(),
                future.getReconstructions(),
                seat.isEmpty() ? Optional.empty() : Optional.of(seat),
                Instant.ofEpochMilli(future.getSubmittedWallMillis()),
                instant(future.getClaimedWallMillis()),
                instant(future.getDoneWallMillis()),
                future.getValueBytes(),
                future.getHoldersList(),
                future.hasFailure() ? Optional.of(Failures.text(future.getFailure())) : Optional.empty(),
                future.getWaitsFor().isEmpty() ? Optional.empty() : Optional.of(future.getWaitsFor()),
                future.hasProgress() ? Optional.of(progress(future.getProgress())) : Optional.empty());
    }

    private static Progress progress(TaskProgress said) {
        return new Progress(
                said.getDone(), said.getTotal(), said.getNote(), Instant.ofEpochMilli(said.getSaidWallMillis()));
    }

    private static Optional<Instant> instant(long wallMillis) {
        return wallMillis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(wallMillis));
    }
}
