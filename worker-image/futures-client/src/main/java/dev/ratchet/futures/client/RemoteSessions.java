/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import dev.ratchet.client.ConnectionException;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.RatchetException;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.Session;
import dev.ratchet.client.SessionClosedException;
import dev.ratchet.client.SessionCreationTimeoutException;
import dev.ratchet.client.SessionFailedException;
import dev.ratchet.client.SessionFailureReason;
import dev.ratchet.client.SessionInfo;
import dev.ratchet.client.SessionOptions;
import dev.ratchet.client.SessionRef;
import dev.ratchet.client.SessionRef.Access;
import dev.ratchet.client.SessionState;
import dev.ratchet.client.Sessions;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.protocol.sessions.v1.CloseSessionRequest;
import dev.ratchet.protocol.sessions.v1.DescribeSessionRequest;
import dev.ratchet.protocol.sessions.v1.HeldSlot;
import dev.ratchet.protocol.sessions.v1.ListSessionsReply;
import dev.ratchet.protocol.sessions.v1.ListSessionsRequest;
import dev.ratchet.protocol.sessions.v1.OpenSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionDescription;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import dev.ratchet.protocol.sessions.v1.SlotsAnswer;
import dev.ratchet.protocol.sessions.v1.SlotsRequest;
import dev.ratchet.protocol.sessions.v1.StateCheck;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sessions by way of a gateway. */
public final class RemoteSessions implements Sessions {

    private static final int SECRET_BYTES = 16;

    private static final int CHECK_BYTES_MAX = 10_000;

    private final RemoteRatchet ratchet;
    private final ClientHub hub;
    private final Caller caller;

    RemoteSessions(RemoteRatchet ratchet, ClientHub hub, Caller caller) {
        this.ratchet = ratchet;
        this.hub = hub;
        this.caller = caller;
    }

    @Override
    public Session handOver(SessionRef former, Session.CloseMode mode, SessionOptions options)
            throws InterruptedException {
        if (former.access() != Access.OWN) {
            throw new InvalidInputException("The session " + former.id()
                    + " is handed over by its owner's reference, and this one permits to use it.");
        }
        // What was submitted before is to be among what the session waits for.
        GatewayConnection.await(hub.flushed());
        return open(
                options,
                OpenSessionRequest.newBuilder()
                        .setPredecessor(SessionIds.bytes(former.id()))
                        .setPredecessorSecret(ByteString.copyFrom(former.secret()))
                        .setCancelPredecessor(mode == Session.CloseMode.CANCEL));
    }

    @Override
    public Session open(SessionOptions options) throws InterruptedException {
        return open(options, OpenSessionRequest.newBuilder());
    }

    private Session open(SessionOptions options, OpenSessionRequest.Builder request) throws InterruptedException {
        UUID id = hub.environment().randomId();
        ByteString owner = newSecret();
        ByteString user = userSecret(owner);
        request.setId(SessionIds.bytes(id))
                .setName(options.name())
                .putAllLabels(options.labels())
                .setPriority(options.priority())
                .setDemand(SlotDemand.newBuilder()
                        .putAllSlots(options.slots())
                        .setVersion(options.version())
                        .putAllWorkerLabels(options.workerLabels()))
                .setCreationTimeoutMillis(options.creationTimeout().toMillis())
                .setReestablishMillis(options.reestablishment().toMillis())
                .setWaitForCapacity(options.waitForCapacity())
                .setOwnerSecret(owner)
                .setUserSecret(user);
        options.executionTimeout().ifPresent(timeout -> request.setExecutionTimeoutMillis(timeout.toMillis()));
        options.reestablishmentCheck().ifPresent(check -> request.setCheck(check(check)));
        caller.parent().ifPresent(parent -> request.setParent(Ids.bytes(parent)));
        if (!options.detached() && caller.parent().isPresent()) {
            caller.claim().ifPresent(request::setParentClaim);
        } else if (!options.detached()) {
            GatewayConnection.await(hub.lease().begun());
            request.setOwner(hub.lease().id());
        }
        SessionRecord opened = open(id, request.build());
        return switch (opened.getState()) {
            case SESSION_STATE_OPEN -> new RemoteSession(ratchet, this, id, Optional.of(owner), user, opened.getSeat());
            case SESSION_STATE_CREATION_TIMED_OUT -> throw new SessionCreationTimeoutException(opened.getMessage());
            case SESSION_STATE_FAILED ->
                throw new SessionFailedException(
                        "The session " + id + " has failed: " + opened.getMessage(),
                        reason(opened.getReason().name()));
            default ->
                throw new SessionClosedException(
                        "The session " + id + " was closed by somebody else before it could be used.");
        };
    }

    private StateCheck check(SerializableCallable<Boolean> check) {
        TaskPackaging.Task packed = ratchet.packed(check);
        byte[] argument = packed.argument().bytes();
        if (argument.length > CHECK_BYTES_MAX || !packed.argument().upstreams().isEmpty()) {
            throw new InvalidInputException("What the check of a session captures has at most " + CHECK_BYTES_MAX
                    + " bytes when serialised and no futures, not " + argument.length + " bytes and "
                    + packed.argument().upstreams().size() + " futures.");
        }
        GatewayConnection.await(packed.code().uploaded());
        return StateCheck.newBuilder()
                .setFunction(packed.code().function().getDigest())
                .setCode(packed.code().function().getCode())
                .setArgumentKind(packed.argument().kind())
                .setArgument(ByteString.copyFrom(argument))
                .build();
    }

    /** Waits until it does not wait any more; whoever is interrupted gives it up. */
    private SessionRecord open(UUID id, OpenSessionRequest request) throws InterruptedException {
        try (Caller.Pause pause = caller.pause()) {
            SessionRecord answer = SessionRecord.getDefaultInstance();
            if (request.getPredecessor().isEmpty()) {
                answer = told(answer(hub.sessions()
                                .ask(SlotsRequest.newBuilder()
                                        .setOpen(request)
                                        .setBrief(true)
                                        .build())))
                        .getSession();
            }
            while (waits(answer)) {
                answer = answer(hub.connection()
                                .<SessionDescription>call((stub, reply) -> stub.openSession(request, reply)))
                        .getRecord();
            }
            return answer;
        } catch (InterruptedException interrupted) {
            var unused = hub.connection()
                    .<SessionDescription>call(
                            (stub, reply) -> stub.closeSession(closing(id, request.getOwnerSecret(), "", true), reply));
            throw interrupted;
        }
    }

    /** Whether nobody has said yet that it does not wait any more. */
    private static boolean waits(SessionRecord session) {
        return session.getState() == dev.ratchet.protocol.sessions.v1.SessionState.SESSION_STATE_UNSPECIFIED
                || session.getState() == dev.ratchet.protocol.sessions.v1.SessionState.SESSION_STATE_WAITING;
    }

    private static SlotsAnswer told(SlotsAnswer answer) {
        if (answer.hasRefusal()) {
            throw new InvalidInputException(answer.getRefusal());
        }
        return answer;
    }

    private static <T> T answer(CompletableFuture<T> call) throws InterruptedException {
        try {
            return call.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RatchetException refused) {
                throw refused;
            }
            throw new ConnectionException("The session could not be opened: " + failed.getCause(), failed);
        }
    }

    private ByteString newSecret() {
        return SessionIds.bytes(hub.environment().randomId());
    }

    @Override
    public Session attach(SessionRef reference) {
        ByteString secret = ByteString.copyFrom(reference.secret());
        return new RemoteSession(
                ratchet,
                this,
                reference.id(),
                reference.access() == Access.OWN ? Optional.of(secret) : Optional.empty(),
                reference.access() == Access.OWN ? userSecret(secret) : secret,
                "");
    }

    /** Whoever may close a session can make others use it, and not the other way round. */
    private static ByteString userSecret(ByteString ownerSecret) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(ownerSecret.toByteArray());
            return ByteString.copyFrom(digest, 0, SECRET_BYTES);
        } catch (NoSuchAlgorithmException unschedulable) {
            throw new IllegalStateException("Every Java has SHA-256", unschedulable);
        }
    }

    @Override
    public Optional<SessionInfo> describe(UUID id) {
        return describe(id, ByteString.EMPTY);
    }

    /** With a reference that must be right. */
    Optional<SessionInfo> describe(UUID id, ByteString secret) {
        DescribeSessionRequest request = DescribeSessionRequest.newBuilder()
                .setId(SessionIds.bytes(id))
                .setSecret(secret)
                .build();
        try {
            return Optional.of(info(GatewayConnection.await(
                    hub.connection().call((stub, answer) -> stub.describeSession(request, answer)))));
        } catch (InvalidInputException unknown) {
            if (secret.isEmpty()) {
                return Optional.empty();
            }
            throw unknown;
        }
    }

    @Override
    public Stream<SessionInfo> list() {
        return Stream.iterate(page(ByteString.EMPTY), Objects::nonNull, this::next)
                .flatMap(page -> page.getSessionsList().stream())
                .map(RemoteSessions::info);
    }

    private ListSessionsReply page(ByteString after) {
        ListSessionsRequest request =
                ListSessionsRequest.newBuilder().setAfter(after).build();
        return GatewayConnection.await(hub.connection().call((stub, answer) -> stub.listSessions(request, answer)));
    }

    private @Nullable ListSessionsReply next(ListSessionsReply page) {
        return page.getNext().isEmpty() ? null : page(page.getNext());
    }

    /** @param seat that has it, or nothing if that is not known */
    void close(UUID id, ByteString ownerSecret, String seat, boolean cancel) {
        // What was submitted before is to be among what the session waits for.
        GatewayConnection.await(hub.flushed());
        CloseSessionRequest request = closing(id, ownerSecret, seat, cancel);
        if (!seat.isEmpty()
                && told(GatewayConnection.await(hub.sessions()
                                .ask(SlotsRequest.newBuilder()
                                        .setClose(request)
                                        .setBrief(true)
                                        .build())))
                        .hasSession()) {
            return;
        }
        GatewayConnection.await(
                hub.connection().<SessionDescription>call((stub, answer) -> stub.closeSession(request, answer)));
    }

    private static CloseSessionRequest closing(UUID id, ByteString ownerSecret, String seat, boolean cancel) {
        return CloseSessionRequest.newBuilder()
                .setId(SessionIds.bytes(id))
                .setOwnerSecret(ownerSecret)
                .setSeat(seat)
                .setCancel(cancel)
                .build();
    }

    static SessionFailureReason reason(String name) {
        String word = name.replace("SESSION_FAILURE_REASON_", "");
        return Stream.of(SessionFailureReason.values())
                .filter(reason -> reason.name().equals(word))
                .findFirst()
                .orElse(SessionFailureReason.UNKNOWN);
    }

    private static SessionState state(SessionRecord record) {
        return SessionState.valueOf(record.getState().name().replace("SESSION_STATE_", ""));
    }

    private static SessionInfo info(SessionDescription session) {
        SessionRecord record = session.getRecord();
        Map<String, List<Integer>> slots = new TreeMap<>();
        Map<String, Long> fences = new TreeMap<>();
        for (HeldSlot slot : record.getSlotsList()) {
            slots.computeIfAbsent(slot.getResource(), unused -> new ArrayList<>())
                    .add(slot.getNumber());
            fences.put(slot.getResource() + "/" + slot.getNumber(), slot.getToken());
        }
        SessionState state = state(record);
        return new SessionInfo(
                SessionIds.of(session.getId()),
                record.getName(),
                Map.copyOf(record.getLabelsMap()),
                state,
                record.getSeat(),
                slots,
                fences,
                record.getToken(),
                Instant.ofEpochMilli(record.getCreatedWallMillis()),
                record.getOpenedWallMillis() == 0 ? null : Instant.ofEpochMilli(record.getOpenedWallMillis()),
                state == SessionState.FAILED ? reason(record.getReason().name()) : null,
                record.getMessage());
    }

    static SessionRef ref(UUID id, Access access, ByteString secret) {
        return new SessionRef(id, access, HexFormat.of().formatHex(secret.toByteArray()));
    }
}
