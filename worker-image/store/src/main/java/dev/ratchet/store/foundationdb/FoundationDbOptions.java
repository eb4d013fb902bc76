/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.foundationdb;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a FoundationDB cluster is reached. What is null is left to FoundationDB's own environment variables, such as
 * {@code FDB_TLS_CERTIFICATE_FILE} and {@code FDB_NETWORK_OPTION_EXTERNAL_CLIENT_DIRECTORY}.
 *
 * @param clusterFile addresses of the coordinators; must be writable, because the client rewrites it when they change
 * @param tlsDirectory {@code tls.crt}, {@code tls.key} and {@code ca.crt} for a cluster that wants TLS
 * @param externalClientDirectory client libraries of other FoundationDB versions, for the time of an upgrade
 */
public record FoundationDbOptions(
        Path clusterFile,
        @Nullable Path tlsDirectory,
        @Nullable Path externalClientDirectory) {}
