/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Owns the bytes on the wire: TLS, HTTP/1.1 requests and replies, long replies for watches and logs, WebSocket frames.
 * Knows nothing of Kubernetes.
 */
@NullMarked
package dev.ratchet.local.apiserver.http;

import org.jspecify.annotations.NullMarked;
