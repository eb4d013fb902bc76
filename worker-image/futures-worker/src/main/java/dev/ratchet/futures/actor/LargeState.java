/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.actor;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;

/**
 * A state on its way into the store that is too large for the record of its actor.
 *
 * @param content the serialised state or checkpoint
 */
public record LargeState(FutureId actor, StatePieces pieces, ByteString content) {}
