/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

/** What a row does whose primary key is there already, in tables whose option {@code upserts} is not given. */
public enum RepeatedKeys {
    /** It refuses its step. */
    REFUSED,
    /** It takes the place of the row that is there, in tables that allow rows to be taken back. */
    UPSERTED
}
