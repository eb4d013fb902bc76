/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.environment.Environment;
import dev.ratchet.membership.observe.Prober;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects by TCP and hangs up. Only an explicit refusal by the other host counts as one. */
final class TcpProber implements Prober {

    private static final Logger LOG = LoggerFactory.getLogger(TcpProber.class);
    private static final long TIMEOUT_MILLIS = 1_500;

    private final Environment environment;

    TcpProber(Environment environment) {
        this.environment = environment;
    }

    @Override
    public CompletableFuture<Result> probe(String address) {
        CompletableFuture<Result> result = new CompletableFuture<>();
        try {
            AsynchronousSocketChannel channel = AsynchronousSocketChannel.open();
            result.whenComplete((outcome, failure) -> close(channel));
            Environment.Cancellable timer = environment.schedule(TIMEOUT_MILLIS, () -> result.complete(Result.UNKNOWN));
            channel.connect(Addresses.parse(address), result, new CompletionHandler<>() {
                @Override
                public void completed(Void connected, CompletableFuture<Result> attached) {
                    timer.cancel();
                    attached.complete(Result.ANSWERED);
                }

                @Override
                public void failed(Throwable failure, CompletableFuture<Result> attached) {
                    timer.cancel();
                    attached.complete(isRefusal(failure) ? Result.REFUSED : Result.UNKNOWN);
                }
            });
        } catch (IOException | RuntimeException unusable) {
            LOG.debug("No probe of {}: {}", address, unusable.toString());
            result.complete(Result.UNKNOWN);
        }
        return result;
    }

    private static boolean isRefusal(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return (failure instanceof ConnectException && message.contains("refused"))
                || (failure instanceof IOException && message.contains("reset"));
    }

    private static void close(AsynchronousSocketChannel channel) {
        try {
            channel.close();
        } catch (IOException gone) {
            LOG.debug("A probe's channel did not close: {}", gone.toString());
        }
    }

    /** The parts of {@code host:port}. */
    static final class Addresses {
        private Addresses() {}

        static InetSocketAddress parse(String address) {
            int colon = address.lastIndexOf(':');
            String host = address.substring(0, colon);
            String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
            return new InetSocketAddress(bare, Integer.parseInt(address.substring(colon + 1)));
        }
    }
}
