/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Brings a jar to a cluster by itself, without a future that needs it. */
public final class JarUpload {

    private JarUpload() {}

    /**
     * Uploads a jar, or a directory of classes as one, unless the cluster has it. It stays for an hour, and then for as
     * long as something names it.
     *
     * @return SHA-256 of the jar in hexadecimal, once the cluster has it
     * @throws dev.ratchet.client.InvalidInputException if it is no jar
     */
    public static CompletableFuture<String> of(GatewayConnection connection, Path jar) {
        Shipping.Shipped shipped = new Artifacts(connection, List.of(jar)).shipGiven();
        String digest = HexFormat.of().formatHex(shipped.digests().getFirst().toByteArray());
        return shipped.uploaded().thenApply(done -> digest);
    }
}
