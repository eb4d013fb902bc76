/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

/**
 * Names one commit of one client for ever, so that its outcome can be learnt after a lost connection.
 *
 * @param client random 64 bits of the client process
 * @param sequence number of the commit within it
 */
public record RequestId(long client, long sequence) {}
