/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import java.io.IOException;
import java.net.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a {@link Link} connected, or finds that the other process is gone: where nobody listens any more within a
 * fraction of a second, where nobody answers after the time that the settings say. The process of the higher number
 * does not connect but asks, so that there is one connection and each side learns of the other's death by itself.
 */
final class LinkKeeper implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(LinkKeeper.class);
    private static final int REFUSALS_OF_THE_GONE = 3;
    private static final long FIRST_PAUSE_MILLIS = 30;
    private static final long LONGEST_PAUSE_MILLIS = 500;
    private static final long ASK_AFTER_MILLIS = 100;

    private final Link link;
    private final Hello hello;
    private final Dialer dialer;
    private final LinkSession session;
    private final ExchangeSettings settings;
    private long connections;
    private int refusals;
    private long pauseMillis = FIRST_PAUSE_MILLIS;
    private String lastFailure = "no connection came";

    LinkKeeper(Link link, Hello hello, Dialer dialer, LinkSession session, ExchangeSettings settings) {
        this.link = link;
        this.hello = hello;
        this.dialer = dialer;
        this.session = session;
        this.settings = settings;
    }

    @Override
    public void run() {
        try {
            while (link.awaitBroken(hello.attaches() ? 0 : ASK_AFTER_MILLIS)) {
                forgetWhatWasBeforeTheLastConnection();
                attempt();
                long patienceMillis = connections > 0 ? settings.reconnectMillis() : settings.joinMillis();
                if (refusals >= REFUSALS_OF_THE_GONE) {
                    lost("nobody listens there any more");
                } else if (link.brokenMillis() > patienceMillis) {
                    lost("no connection for " + patienceMillis + " ms, at last: " + lastFailure);
                } else {
                    link.pause(pauseMillis);
                    pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
                }
            }
        } catch (InterruptedException stopped) {
            session.end("this process ends");
        }
    }

    /** The process of the higher number does not connect, so it does not see that somebody listened meanwhile. */
    private void forgetWhatWasBeforeTheLastConnection() {
        long now = link.connections();
        if (now != connections) {
            connections = now;
            refusals = 0;
            pauseMillis = FIRST_PAUSE_MILLIS;
        }
    }

    private void attempt() {
        Connection connection = null;
        try {
            connection = new Connection(dialer.dial(link.peer()));
            refusals = 0;
            connection.silentAfter(settings.silentMillis());
            hello.having(link.received()).write(connection.out(), session.formatLevel());
            Hello.Answer answer = Hello.Answer.read(connection.in());
            lastFailure = answer.reason();
            if (answer.verdict() == Hello.Verdict.OVER) {
                lost(answer.reason());
            } else if (answer.verdict() == Hello.Verdict.JOINED && hello.attaches()) {
                link.serve(connection, answer.received());
            }
        } catch (ConnectException refused) {
            refusals++;
            lastFailure = String.valueOf(refused);
        } catch (IOException failed) {
            lastFailure = String.valueOf(failed);
            LOG.debug("No connection any more: peer={} reason={}", link.peer(), lastFailure);
        } finally {
            if (connection != null) {
                connection.cut();
            }
        }
    }

    private void lost(String reason) {
        ExchangePeer peer = link.peer();
        session.end("seat " + peer.seat() + " at " + peer.address() + " is lost: " + reason, peer);
    }
}
