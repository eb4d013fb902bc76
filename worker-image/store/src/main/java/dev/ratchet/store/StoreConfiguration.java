/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Which store a process uses; what {@code cluster.json} says under {@code store}. */
public sealed interface StoreConfiguration {

    /** Name of the cluster's part of the store, for {@link dev.ratchet.store.keyspace.Keyspace}. */
    String subspace();

    /**
     * The embedded engine in another process.
     *
     * @param address {@code host:port} of {@code ratchet store serve}
     * @param serverName name of the process that serves it, {@code <cluster>-store-0}
     */
    record Embedded(String address, String serverName, String subspace) implements StoreConfiguration {}

    /**
     * A FoundationDB cluster.
     *
     * @param clusterFile writable cluster file
     * @param tlsDirectory {@code tls.crt}, {@code tls.key}, {@code ca.crt}; null without TLS
     * @param externalClientDirectory further client libraries; null for none
     */
    record FoundationDb(
            Path clusterFile,
            @Nullable Path tlsDirectory,
            @Nullable Path externalClientDirectory,
            String subspace) implements StoreConfiguration {}
}
