/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.network;

import dev.ratchet.dataflow.exchange.ByteStream;
import dev.ratchet.dataflow.exchange.ExchangePeer;
import dev.ratchet.dataflow.exchange.ExchangeSession;
import dev.ratchet.dataflow.exchange.ExchangeSettings;
import dev.ratchet.dataflow.exchange.ExchangeTransport;
import dev.ratchet.dataflow.exchange.StreamExchange;
import dev.ratchet.environment.Environment;
import dev.ratchet.simulation.world.VirtualProcess;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/**
 * The exchange of circuits with its own protocol, over connections of a {@link Network} in place of TCP with TLS. Its
 * threads are virtual ones of the process.
 */
public final class SimulatedExchange implements ExchangeTransport {

    private static final long CONNECT_MILLIS = 1_000;

    /** The processes of one world that reach each other. */
    public static final class Hub {
        private final Network network;
        private final Map<String, SimulatedExchange> exchanges = new HashMap<>();

        public Hub(Network network) {
            this.network = network;
        }
    }

    private final Hub hub;
    private final VirtualProcess process;
    private final String seat;
    private final Environment environment;
    private final StreamExchange runs;

    /**
     * @param level of recorded formats, by which is chosen what is written
     * @param environment of {@code process}, whose blocking tasks have threads of their own
     */
    public SimulatedExchange(Hub hub, VirtualProcess process, String seat, IntSupplier level, Environment environment) {
        this.hub = hub;
        this.process = process;
        this.seat = seat;
        this.environment = environment;
        this.runs = new StreamExchange(process.name(), this::dial, ExchangeSettings.defaults(), level, environment);
        hub.exchanges.put(process.name(), this);
    }

    @Override
    public String address() {
        return runs.address();
    }

    @Override
    public ExchangeSession join(long run, int self, List<ExchangePeer> peers) {
        return runs.join(run, self, peers);
    }

    private enum Answer {
        NONE,
        REFUSED,
        CONNECTED
    }

    private ByteStream dial(ExchangePeer peer) throws IOException {
        SimulatedExchange called = hub.exchanges.get(peer.address());
        if (called == null) {
            throw new ConnectException("Nobody has ever listened at " + peer.address());
        }
        SimulatedStream near = SimulatedStream.between(hub.network, process, called.process);
        Answer[] answer = {Answer.NONE};
        boolean[] late = {false};
        Thread caller = Thread.currentThread();
        hub.network.deliver(
                process,
                called.process,
                () -> called.accept(near.other(), seat, () -> {
                    answer[0] = Answer.CONNECTED;
                    LockSupport.unpark(caller);
                }));
        hub.network.refusal(process, called.process, () -> {
            answer[0] = Answer.REFUSED;
            LockSupport.unpark(caller);
        });
        var timer = process.schedule(CONNECT_MILLIS, () -> {
            late[0] = true;
            LockSupport.unpark(caller);
        });
        while (answer[0] == Answer.NONE && !late[0]) {
            LockSupport.park(answer);
        }
        timer.cancel();
        if (answer[0] == Answer.CONNECTED) {
            return near;
        }
        near.cut();
        if (answer[0] == Answer.REFUSED) {
            throw new ConnectException("Nobody listens at " + peer.address());
        }
        throw new SocketTimeoutException("No answer from " + peer.address());
    }

    /** @param connected is run in the process of the caller once it knows */
    private void accept(SimulatedStream stream, String caller, Runnable connected) {
        hub.network.deliver(process, stream.other().process(), connected);
        stream.silentAfter(ExchangeSettings.defaults().silentMillis());
        environment.blockingExecutor().execute(() -> {
            try {
                runs.serve(stream, caller, () -> {});
            } catch (IOException | InterruptedException broken) {
                // The caller finds its connection closed.
            } finally {
                stream.cut();
            }
        });
    }
}
