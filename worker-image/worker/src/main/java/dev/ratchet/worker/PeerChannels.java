/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.membership.Peers;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.TransportSecurity;
import io.grpc.ManagedChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * One channel per seat and address, kept until the seat has another address or too many others were used since. A
 * channel connects when it is used and goes idle by itself, so keeping one costs next to nothing. Safe for use by
 * several threads.
 */
final class PeerChannels implements Peers, AutoCloseable {

    static final int LIMIT = 1_024;

    private final TransportSecurity security;
    private final String namespace;
    private final Map<String, Peer> peers = new HashMap<>();
    private final Queue<String> oldestFirst = new ArrayDeque<>();

    private record Peer(String address, ManagedChannel channel) {}

    PeerChannels(TransportSecurity security, String namespace) {
        this.security = security;
        this.namespace = namespace;
    }

    @Override
    public ManagedChannel channel(String seat, String address) {
        List<ManagedChannel> unused = new ArrayList<>();
        ManagedChannel channel;
        synchronized (this) {
            Peer peer = peers.get(seat);
            if (peer == null || !peer.address().equals(address)) {
                if (peer != null) {
                    unused.add(peer.channel());
                    oldestFirst.remove(seat);
                }
                peer = new Peer(address, connect(seat, address));
                peers.put(seat, peer);
                oldestFirst.add(seat);
            }
            channel = peer.channel();
            if (peers.size() > LIMIT) {
                Peer oldest = peers.remove(oldestFirst.remove());
                if (oldest != null) {
                    unused.add(oldest.channel());
                }
            }
        }
        unused.forEach(ManagedChannel::shutdown);
        return channel;
    }

    /**
     * As {@link #channel}, to a seat whose process listens: it is connected to at once, however long the channel would
     * still have waited since it was refused there last.
     */
    ManagedChannel listening(String seat, String address) {
        ManagedChannel channel = channel(seat, address);
        channel.resetConnectBackoff();
        return channel;
    }

    private ManagedChannel connect(String seat, String address) {
        return security.channelBuilder(address, Identity.authority(seat, namespace))
                .build();
    }

    @Override
    public synchronized void close() {
        peers.values().forEach(peer -> peer.channel().shutdownNow());
        peers.clear();
        oldestFirst.clear();
    }
}
