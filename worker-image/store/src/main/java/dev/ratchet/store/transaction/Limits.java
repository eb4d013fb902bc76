/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

/** FoundationDB's limits, which are limits of ours on every backend. */
public final class Limits {
    /** Longest user key in bytes, else 2102. */
    public static final int KEY_BYTES_MAX = 10_000;
    /** Longest key with raw or system access in bytes: room for FoundationDB's own prefix. */
    public static final int RAW_KEY_BYTES_MAX = KEY_BYTES_MAX + 8;
    /** Longest key in the system space in bytes. */
    public static final int SYSTEM_KEY_BYTES_MAX = 30_000;
    /** Longest value or mutation parameter in bytes, else 2103. */
    public static final int VALUE_BYTES_MAX = 100_000;
    /** Largest transaction in bytes, else 2101. */
    public static final int TRANSACTION_BYTES_MAX = 10_000_000;
    /** Age in versions, a million of which are a second, at which a read version is too old (1007). */
    public static final long WINDOW_VERSIONS = 5_000_000;
    /** How far a selector may walk from its key. */
    public static final int SELECTOR_OFFSET_MAX = 1_000_000;
    /** How long the outcome of a commit can be asked for, in milliseconds. */
    public static final long REQUEST_ID_RETENTION_MILLIS = 60_000;
    /** Watches outstanding per database unless set otherwise, else 1032. */
    public static final int WATCHES_DEFAULT = 10_000;
    /** Most watches that a database can be set to. */
    public static final int WATCHES_MAX = 1_000_000;
    /** How long a read at a version that is not there yet waits, in milliseconds, before 1009. */
    public static final long FUTURE_VERSION_WAIT_MILLIS = 1_000;

    private Limits() {}
}
