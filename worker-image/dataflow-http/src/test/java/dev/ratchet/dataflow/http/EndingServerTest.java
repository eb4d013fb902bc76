/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Requests that break off. Who is asking while a worker ends is told to ask again, or loses the connection; nothing
 * looks like a defect.
 */
@Timeout(60)
class EndingServerTest extends ServedCircuitTest {

    @RepeatedTest(5)
    void aRequestWhoseRowsAreStillComingIsNotAnsweredAsADefect() throws IOException {
        try (Socket caller = connect()) {
            send(caller, "Content-Length: 100\r\nExpect: 100-continue\r\n\r\n");
            BufferedReader answer = answerTo(caller);
            assertThat(answer.readLine()).as("once the rows are awaited").isEqualTo("HTTP/1.1 100 Continue");
            server.close();
            assertThat(rest(answer).strip())
                    .satisfiesAnyOf(told -> assertThat(told).isEmpty(), told -> assertThat(told)
                            .startsWith("HTTP/1.1 503"));
        }
    }

    @Test
    void aBodyThatIsNoHttpIsTheCallersMistake() throws IOException {
        try (Socket caller = connect()) {
            send(caller, "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\nno length\r\n");
            assertThat(rest(answerTo(caller))).startsWith("HTTP/1.1 400");
        }
    }

    private Socket connect() throws IOException {
        return security(Kind.CLIENT, "default")
                .clientContext(Identity.authority("w-0", "ns"))
                .getSocketFactory()
                .createSocket("localhost", server.port());
    }

    private static void send(Socket caller, String behindTheType) throws IOException {
        String request = "POST /v1/tables/orders HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + NDJSON + "\r\n";
        caller.getOutputStream().write((request + behindTheType).getBytes(StandardCharsets.US_ASCII));
    }

    private static BufferedReader answerTo(Socket caller) throws IOException {
        return new BufferedReader(new InputStreamReader(caller.getInputStream(), StandardCharsets.US_ASCII));
    }

    private static String rest(BufferedReader answer) throws IOException {
        StringBuilder told = new StringBuilder();
        try {
            for (int character = answer.read(); character >= 0; character = answer.read()) {
                told.append((char) character);
            }
            return told.toString();
        } catch (SocketException reset) {
            return told.toString();
        }
    }
}
