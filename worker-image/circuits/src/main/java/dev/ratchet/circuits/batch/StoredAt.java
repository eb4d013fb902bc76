/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

/**
 * The region of a file in which a batch lies.
 *
 * @param position of the first byte
 * @param length bytes, all parts of {@link BatchFormat} included
 */
public record StoredAt(BatchFile file, long position, long length) {}
