/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.network;

import dev.ratchet.futures.nesting.Loopback;
import dev.ratchet.membership.observe.Prober;
import dev.ratchet.simulation.world.VirtualProcess;
import dev.ratchet.simulation.world.VirtualWorld;
import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * All links between processes. A link can be cut in one direction: calls over it stand still and break after
 * {@link #KEEP_ALIVE_MILLIS}; what goes to the store waits instead, because that client reconnects by itself. Messages
 * of one call keep their order, of different calls they do not. Whoever loses messages here loses the whole call, as
 * with TCP.
 */
public final class Network {

    /** The end of a link that is the store, whichever process it is now. */
    public static final Object STORE = new Object() {
        @Override
        public String toString() {
            return "store";
        }
    };

    /** A call whose link is cut fails after so long at both ends. */
    public static final long KEEP_ALIVE_MILLIS = 10_000;

    private static final long HOP_NANOS = 200_000;
    private static final long PROBE_NANOS = 1_000_000;

    private final VirtualWorld world;
    private final Map<String, Server> servers = new LinkedHashMap<>();
    private final Set<Link> cuts = new LinkedHashSet<>();
    private final Map<Link, List<Runnable>> waiting = new LinkedHashMap<>();
    private final Set<NetworkCall<?, ?>> calls = new LinkedHashSet<>();
    private final Set<SimulatedStream> streams = new LinkedHashSet<>();
    private boolean probesAnswered = true;
    private final Set<VirtualProcess> refused = new LinkedHashSet<>();
    private final Set<VirtualProcess> removed = new LinkedHashSet<>();
    private int resetPerMille;
    private long slowMillis;

    private record Link(Object from, Object to) {}

    /** Who listens at an address. */
    record Server(VirtualProcess process, Map<String, ServerMethodDefinition<?, ?>> methods) {}

    public Network(VirtualWorld world) {
        this.world = world;
    }

    /** From now on {@code process} answers at {@code address}; of two, the later one does. */
    public void serve(String address, VirtualProcess process, List<BindableService> services) {
        Map<String, ServerMethodDefinition<?, ?>> methods = new LinkedHashMap<>();
        for (BindableService service : services) {
            ServerServiceDefinition definition = service.bindService();
            definition
                    .getMethods()
                    .forEach(method -> methods.put(method.getMethodDescriptor().getFullMethodName(), method));
        }
        servers.put(address, new Server(process, methods));
    }

    /** A channel of {@code caller} to whoever listens at {@code address}. */
    public ManagedChannel channel(VirtualProcess caller, String address) {
        return new SimulatedChannel(this, caller, address);
    }

    /** How the tasks of {@code process} reach its own gateway: by calls that nothing disturbs. */
    public Loopback loopback(VirtualProcess process) {
        return new Loopback() {
            @Override
            public Runnable serve(String name, BindableService gateway) {
                Network.this.serve(name, process, List.of(gateway));
                return () -> servers.remove(name);
            }

            @Override
            public ManagedChannel dial(String name) {
                return channel(process, name);
            }
        };
    }

    /** How {@code caller} tells refused addresses from silent ones. */
    public Prober prober(VirtualProcess caller) {
        return address -> {
            CompletableFuture<Prober.Result> result = new CompletableFuture<>();
            world.at(PROBE_NANOS, caller, () -> result.complete(probe(caller, address)));
            return result;
        };
    }

    private Prober.Result probe(VirtualProcess caller, String address) {
        Server server = servers.get(address);
        if (!probesAnswered) {
            return Prober.Result.UNKNOWN;
        }
        if (server == null || server.process().isDead()) {
            return Prober.Result.REFUSED;
        }
        boolean reached = !isCut(caller, server.process()) && !isCut(server.process(), caller);
        if (reached && refused.contains(server.process())) {
            return Prober.Result.REFUSED;
        }
        return reached ? Prober.Result.ANSWERED : Prober.Result.UNKNOWN;
    }

    /** Whether probes get an answer at all; without, every process may only be silent. */
    public void answerProbes(boolean answered) {
        probesAnswered = answered;
    }

    /** So many messages of a thousand reset their call instead, and each takes up to so much longer. */
    public void disturb(int resetsPerMille, long slowByMillis) {
        resetPerMille = resetsPerMille;
        slowMillis = slowByMillis;
    }

    /** Nothing gets from one to the other any more; the other direction is not touched. */
    public void cut(Object from, Object to) {
        cuts.add(new Link(from, to));
    }

    /** What was cut is whole again. */
    public void heal(Object from, Object to) {
        Link link = new Link(from, to);
        cuts.remove(link);
        List<Runnable> late = waiting.remove(link);
        if (late != null) {
            late.forEach(Runnable::run);
        }
    }

    /** Every link is whole again. */
    public void healAll() {
        for (Link link : List.copyOf(cuts)) {
            heal(link.from(), link.to());
        }
    }

    public boolean isCut(Object from, Object to) {
        return cuts.contains(new Link(from, to));
    }

    /** Runs {@code message} now, or when the link is whole again. */
    public void carry(Object from, Object to, Runnable message) {
        if (isCut(from, to)) {
            waiting.computeIfAbsent(new Link(from, to), link -> new ArrayList<>())
                    .add(message);
        } else {
            message.run();
        }
    }

    /**
     * Has {@code to} run {@code message} as soon as it gets there; where the link is cut it waits for the link, as what
     * is sent again once there is a connection. Messages may overtake each other.
     */
    public void deliver(VirtualProcess from, VirtualProcess to, Runnable message) {
        carry(from, to, () -> world.at(HOP_NANOS + slowNanos(), to, message));
    }

    private long slowNanos() {
        return slowMillis == 0 ? 0 : world.random().nextLong(slowMillis * 1_000_000);
    }

    /** As a firewall that turns away whoever connects to the process, which lives: what is connected breaks, too. */
    public void refuse(VirtualProcess process) {
        refused.add(process);
        died(process);
    }

    /** As when a client is taken off the list of those that may call: its calls end, and each new one is refused. */
    public void remove(VirtualProcess client) {
        removed.add(client);
        for (NetworkCall<?, ?> call : List.copyOf(calls)) {
            call.removed(client);
        }
    }

    boolean isRemoved(VirtualProcess client) {
        return removed.contains(client);
    }

    /** The process is dead: what was connected to it finds out, and its address refuses connections. */
    public void died(VirtualProcess process) {
        for (NetworkCall<?, ?> call : List.copyOf(calls)) {
            call.died(process);
        }
        for (SimulatedStream stream : List.copyOf(streams)) {
            if (stream.process() == process) {
                stream.end("the process is gone");
            }
        }
    }

    /** Has {@code caller} run {@code refused} after a while if nobody listens in {@code called}, and it is reached. */
    void refusal(VirtualProcess caller, VirtualProcess called, Runnable refused) {
        world.at(PROBE_NANOS, caller, () -> {
            boolean reached = !isCut(caller, called) && !isCut(called, caller);
            if (reached && (called.isDead() || this.refused.contains(called))) {
                refused.run();
            }
        });
    }

    void opened(SimulatedStream stream) {
        streams.add(stream);
    }

    void ended(SimulatedStream stream) {
        streams.remove(stream);
    }

    /** Whether a connection breaks now. */
    boolean resets() {
        return resetPerMille > 0 && world.random().nextInt(1_000) < resetPerMille;
    }

    @Nullable
    Server server(String address) {
        Server server = servers.get(address);
        return server == null || server.process().isDead() || refused.contains(server.process()) ? null : server;
    }

    void opened(NetworkCall<?, ?> call) {
        calls.add(call);
    }

    void ended(NetworkCall<?, ?> call) {
        calls.remove(call);
    }

    /** A message of a call: it arrives, or breaks the call. */
    void send(NetworkCall<?, ?> call, VirtualProcess from, VirtualProcess to, Runnable arrival) {
        if (from == to) {
            world.at(0, to, arrival);
        } else if (isCut(from, to)) {
            world.at(KEEP_ALIVE_MILLIS * 1_000_000, from, () -> call.reset(Status.UNAVAILABLE, "keep-alive"));
        } else if (resets()) {
            world.at(HOP_NANOS, to, () -> call.reset(Status.UNAVAILABLE, "connection reset"));
        } else {
            world.at(HOP_NANOS + slowNanos(), to, arrival);
        }
    }

    VirtualWorld world() {
        return world;
    }
}
