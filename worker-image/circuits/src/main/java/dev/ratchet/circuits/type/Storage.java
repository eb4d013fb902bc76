/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

/** How the values of a column lie in memory, on disk and on the wire; each kind of loop is written once per storage. */
public enum Storage {
    /** One signed 64-bit number whose order is the order of the values. */
    LONG,
    /** One signed 128-bit number in two longs. */
    WIDE,
    /** Bytes whose unsigned lexicographic order is the order of the values. */
    BYTES
}
