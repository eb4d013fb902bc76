/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The options of one transaction, by their codes in FoundationDB's C API. What is legal but has no meaning here is
 * accepted. Some survive a retry, the others do not. Not safe for use by several threads.
 */
final class TransactionSettings {
    static final int TIMEOUT = 500;
    static final int READ_YOUR_WRITES_DISABLE = 51;
    static final int NO_LIMIT = -1;

    private static final int SIZE_LIMIT_MIN = 32;
    private static final int RETRY_DELAY_MILLIS = 1000;

    private static final Set<Integer> WITHOUT_MEANING = Set.of(
            21, 23, 50, 52, 110, 120, 130, 200, 201, 300, 304, 400, 401, 402, 403, 404, 405, 406, 505, 507, 508, 509,
            510, 511, 701, 711, 800, 801, 900, 1000, 1101, 1102, 2000, 4000, 4001);
    private static final Set<Integer> SURVIVE_RETRY = Set.of(500, 501, 502, 2000);

    boolean causalReadRisky;
    boolean causalWriteRisky;
    boolean nextWriteNoConflict;
    boolean readYourWritesDisabled;
    boolean rawAccess;
    boolean readSystemKeys;
    boolean writeSystemKeys;
    boolean lockAware;
    boolean readLockAware;
    boolean reportConflicts;
    boolean specialKeysRelaxed;
    boolean specialKeysWritable;
    boolean bypassUnreadable;
    int snapshotReadYourWrites = 1;
    long timeoutMillis;
    long retryLimit = NO_LIMIT;
    long maxRetryDelayMillis = RETRY_DELAY_MILLIS;
    long sizeLimitBytes = Limits.TRANSACTION_BYTES_MAX;
    /** What was set and survives a retry; null for nothing. */
    private @Nullable TreeMap<Integer, byte @Nullable []> surviving;

    /** Whether there is such an option. */
    static boolean exists(int code) {
        return WITHOUT_MEANING.contains(code)
                || switch (code) {
                    case 10,
                            20,
                            30,
                            51,
                            301,
                            302,
                            303,
                            500,
                            501,
                            502,
                            503,
                            600,
                            601,
                            700,
                            702,
                            712,
                            713,
                            714,
                            800,
                            801,
                            1100 -> true;
                    default -> false;
                };
    }

    /**
     * Sets an option.
     *
     * @throws EmbeddedFDBException 2006 for a value that the option can not have
     */
    void set(int code, byte @Nullable [] value) {
        switch (code) {
            case 10 -> causalWriteRisky = true;
            case 20 -> causalReadRisky = true;
            case 30 -> nextWriteNoConflict = true;
            case READ_YOUR_WRITES_DISABLE -> readYourWritesDisabled = true;
            case 301 -> {
                readSystemKeys = true;
                writeSystemKeys = true;
            }
            case 302 -> readSystemKeys = true;
            case 303 -> rawAccess = true;
            case TIMEOUT -> timeoutMillis = number(value, 0, Integer.MAX_VALUE);
            case 501 -> retryLimit = number(value, -1, Integer.MAX_VALUE);
            case 502 -> maxRetryDelayMillis = number(value, 0, Integer.MAX_VALUE);
            case 503 -> sizeLimitBytes = number(value, SIZE_LIMIT_MIN, Limits.TRANSACTION_BYTES_MAX);
            case 600 -> snapshotReadYourWrites++;
            case 601 -> snapshotReadYourWrites--;
            case 700 -> lockAware = true;
            case 702 -> readLockAware = true;
            case 712 -> reportConflicts = true;
            case 713 -> specialKeysRelaxed = true;
            case 714 -> specialKeysWritable = true;
            case 1100 -> bypassUnreadable = true;
            default -> {}
        }
        if (SURVIVE_RETRY.contains(code)) {
            surviving = surviving == null ? new TreeMap<>() : surviving;
            surviving.put(code, value);
        }
    }

    /** What a retry of the transaction begins with: the database's defaults, and what survives of this. */
    TransactionSettings afterRetry(Map<Integer, byte @Nullable []> defaults) {
        TransactionSettings next = new TransactionSettings();
        defaults.forEach(next::set);
        if (surviving != null) {
            surviving.forEach(next::set);
        }
        return next;
    }

    static long number(byte @Nullable [] value, long min, long max) {
        if (value == null || value.length != Long.BYTES) {
            throw new EmbeddedFDBException(ErrorCode.INVALID_OPTION_VALUE);
        }
        long number = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong();
        if (number < min || number > max) {
            throw new EmbeddedFDBException(ErrorCode.INVALID_OPTION_VALUE);
        }
        return number;
    }
}
