/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.membership.Member;
import dev.ratchet.protocol.security.BoundedLog;
import dev.ratchet.protocol.security.CallerIdentity;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Refuses what comes with a worker's certificate from elsewhere than the address where its seat serves, or after the
 * end of who has the seat: a copied key is worth nothing elsewhere. Goes by the seats as this worker has last read
 * them, so a seat that has just got another address is asked to try again, and one that is not known yet is admitted.
 * On loopback, where all addresses are one machine's, nothing is checked. Safe for use by several threads.
 */
final class PeerAddresses implements ServerInterceptor {

    private static final BoundedLog LOG = new BoundedLog(LoggerFactory.getLogger("ratchet.audit"));

    private final Supplier<List<Member>> members;
    private volatile Known known = new Known(List.of(), Map.of());

    /** @param address of the seat; empty if nobody has it now */
    private record Seat(Optional<InetAddress> address) {}

    private record Known(List<Member> members, Map<String, Seat> seats) {}

    /** @param members the seats as last read; the same list as long as nothing was read again */
    PeerAddresses(Supplier<List<Member>> members) {
        this.members = members;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Identity caller = CallerIdentity.current();
        SocketAddress remote = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        String refusal = refusal(caller, remote);
        if (refusal == null) {
            return next.startCall(call, headers);
        }
        LOG.warn(
                "Refused: caller={} method={} remote={} reason={}",
                caller,
                call.getMethodDescriptor().getFullMethodName(),
                remote,
                refusal);
        call.close(Status.UNAVAILABLE.withDescription(refusal), new Metadata());
        return new ServerCall.Listener<>() {};
    }

    /** Why a call of {@code caller} from {@code remote} is not admitted; null if it is. */
    @Nullable
    String refusal(Identity caller, @Nullable SocketAddress remote) {
        if (caller.kind() != Kind.WORKER
                || !(remote instanceof InetSocketAddress from)
                || from.getAddress().isLoopbackAddress()) {
            return null;
        }
        Seat seat = seats().get(caller.name());
        if (seat == null) {
            return null;
        }
        if (seat.address().isEmpty()) {
            return "Nobody has the seat " + caller.name() + " now";
        }
        InetAddress expected = seat.address().get();
        return expected.equals(from.getAddress())
                ? null
                : "The seat " + caller.name() + " serves at " + expected.getHostAddress()
                        + ", and this call comes from " + from.getAddress().getHostAddress();
    }

    // The same list is one that was not read again; to compare all of it would cost as much as to make the map anew.
    @SuppressWarnings("ReferenceEquality")
    private Map<String, Seat> seats() {
        List<Member> latest = members.get();
        Known last = known;
        if (last.members() != latest) {
            Map<String, Seat> seats = new HashMap<>();
            latest.forEach(member -> seats.put(
                    member.seat(), new Seat(member.isPresent() ? address(member.address()) : Optional.empty())));
            last = new Known(latest, seats);
            known = last;
        }
        return last.seats();
    }

    /** Of {@code host:port}, where the host is an address and never a name. */
    private static Optional<InetAddress> address(String hostAndPort) {
        String host = hostAndPort.substring(0, Math.max(0, hostAndPort.lastIndexOf(':')));
        try {
            return Optional.of(InetAddress.getByName(host));
        } catch (UnknownHostException unusable) {
            return Optional.empty();
        }
    }
}
