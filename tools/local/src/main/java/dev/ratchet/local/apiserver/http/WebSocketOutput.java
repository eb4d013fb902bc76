/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.http;

import java.io.IOException;
import java.io.OutputStream;

/** Sends messages over a WebSocket, each as one unmasked frame, as a server does (RFC 6455). One thread at a time. */
public final class WebSocketOutput implements AutoCloseable {

    static final int CLOSE = 8;
    private static final int TEXT = 1;
    private static final int FINAL = 0x80;

    private final OutputStream out;

    WebSocketOutput(OutputStream out) {
        this.out = out;
    }

    public void sendText(byte[] utf8) throws IOException {
        send(TEXT, utf8);
    }

    /** Says to the client that nothing more will come. */
    @Override
    public void close() throws IOException {
        // 1000: an orderly end.
        send(CLOSE, new byte[] {0x03, (byte) 0xe8});
    }

    private void send(int opcode, byte[] payload) throws IOException {
        out.write(FINAL | opcode);
        if (payload.length < 126) {
            out.write(payload.length);
        } else if (payload.length < 65_536) {
            out.write(126);
            out.write(payload.length >> 8);
            out.write(payload.length);
        } else {
            out.write(127);
            for (int shift = 56; shift >= 0; shift -= 8) {
                out.write((int) ((long) payload.length >> shift));
            }
        }
        out.write(payload);
        out.flush();
    }
}
