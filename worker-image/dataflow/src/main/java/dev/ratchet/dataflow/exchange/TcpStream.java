/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import javax.net.ssl.SSLSocket;

/**
 * A connection with TLS.
 *
 * @param raw below {@code secured}: closing that one waits for whoever writes, closing this one does not
 */
record TcpStream(Socket raw, SSLSocket secured) implements ByteStream {

    @Override
    public InputStream in() throws IOException {
        return secured.getInputStream();
    }

    @Override
    public OutputStream out() throws IOException {
        return secured.getOutputStream();
    }

    @Override
    public void silentAfter(int millis) throws IOException {
        raw.setSoTimeout(millis);
    }

    @Override
    public void cut() {
        try {
            raw.close();
        } catch (IOException alreadyBroken) {
            // Whoever uses it will notice.
        }
    }
}
