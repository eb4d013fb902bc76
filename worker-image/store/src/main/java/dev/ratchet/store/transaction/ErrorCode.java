/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import java.util.Map;
import java.util.Set;

/**
 * FoundationDB's error codes as far as they occur here, what they say, and which of them a retry answers. The one table
 * for every backend: the predicates of fdb-java ask native code.
 */
public final class ErrorCode {
    public static final int END_OF_STREAM = 1;
    public static final int OPERATION_FAILED = 1000;
    public static final int TIMED_OUT = 1004;
    public static final int TRANSACTION_TOO_OLD = 1007;
    public static final int FUTURE_VERSION = 1009;
    public static final int NOT_COMMITTED = 1020;
    public static final int COMMIT_UNKNOWN_RESULT = 1021;
    public static final int TRANSACTION_CANCELLED = 1025;
    public static final int TRANSACTION_TIMED_OUT = 1031;
    public static final int TOO_MANY_WATCHES = 1032;
    public static final int WATCHES_DISABLED = 1034;
    public static final int ACCESSED_UNREADABLE = 1036;
    public static final int PROCESS_BEHIND = 1037;
    public static final int DATABASE_LOCKED = 1038;
    public static final int CLUSTER_VERSION_CHANGED = 1039;
    public static final int GRV_PROXY_MEMORY_LIMIT = 1078;
    public static final int COMMIT_PROXY_MEMORY_LIMIT = 1042;
    public static final int BATCH_TRANSACTION_THROTTLED = 1051;
    public static final int BLOB_GRANULE_REQUEST_FAILED = 1079;
    public static final int BROKEN_PROMISE = 1100;
    public static final int OPERATION_CANCELLED = 1101;
    public static final int TAG_THROTTLED = 1213;
    public static final int PROXY_TAG_THROTTLED = 1223;
    public static final int IO_ERROR = 1510;
    public static final int CLIENT_INVALID_OPERATION = 2000;
    public static final int KEY_OUTSIDE_LEGAL_RANGE = 2004;
    public static final int INVERTED_RANGE = 2005;
    public static final int INVALID_OPTION_VALUE = 2006;
    public static final int INVALID_OPTION = 2007;
    public static final int READ_VERSION_ALREADY_SET = 2010;
    public static final int VERSION_INVALID = 2011;
    public static final int RANGE_LIMITS_INVALID = 2012;
    public static final int USED_DURING_COMMIT = 2017;
    public static final int INVALID_MUTATION_TYPE = 2018;
    public static final int TRANSACTION_INVALID_VERSION = 2020;
    public static final int NO_COMMIT_VERSION = 2021;
    public static final int TRANSACTION_READ_ONLY = 2023;
    public static final int MAPPER_BAD_INDEX = 2030;
    public static final int MAPPER_BAD_RANGE_DESCRIPTOR = 2032;
    public static final int MAPPED_RANGE_TOO_LARGE = 2033;
    public static final int MAPPED_RANGE_READS_OWN_WRITES = 2039;
    public static final int KEY_NOT_TUPLE = 2041;
    public static final int VALUE_NOT_TUPLE = 2042;
    public static final int MAPPER_NOT_TUPLE = 2043;
    public static final int TOO_MANY_TAGS = 2109;
    public static final int TAG_TOO_LONG = 2110;
    public static final int TRANSACTION_TOO_LARGE = 2101;
    public static final int KEY_TOO_LARGE = 2102;
    public static final int VALUE_TOO_LARGE = 2103;
    public static final int UNSUPPORTED_OPERATION = 2108;
    public static final int SPECIAL_KEYS_CROSS_MODULE_READ = 2112;
    public static final int SPECIAL_KEYS_NO_MODULE_FOUND = 2113;
    public static final int SPECIAL_KEYS_WRITE_DISABLED = 2114;
    public static final int SPECIAL_KEYS_NO_WRITE_MODULE_FOUND = 2115;
    public static final int TENANT_NOT_FOUND = 2131;
    public static final int TENANTS_DISABLED = 2136;
    public static final int EXACT_MODE_WITHOUT_LIMITS = 2210;
    public static final int INTERNAL_ERROR = 4100;

    private static final Set<Integer> RETRYABLE_NOT_COMMITTED =
            Set.of(1007, 1009, 1020, 1037, 1038, 1042, 1051, 1078, 1079, 1213, 1223);
    private static final Set<Integer> MAYBE_COMMITTED = Set.of(COMMIT_UNKNOWN_RESULT, CLUSTER_VERSION_CHANGED);

    private static final Map<Integer, String> DESCRIPTIONS = Map.ofEntries(
            Map.entry(OPERATION_FAILED, "Operation failed"),
            Map.entry(TIMED_OUT, "Operation timed out"),
            Map.entry(TRANSACTION_TOO_OLD, "Transaction is too old to perform reads or be committed"),
            Map.entry(FUTURE_VERSION, "Request for future version"),
            Map.entry(NOT_COMMITTED, "Transaction not committed due to conflict with another transaction"),
            Map.entry(COMMIT_UNKNOWN_RESULT, "Transaction may or may not have committed"),
            Map.entry(TRANSACTION_CANCELLED, "Operation aborted because the transaction was cancelled"),
            Map.entry(TRANSACTION_TIMED_OUT, "Operation aborted because the transaction timed out"),
            Map.entry(TOO_MANY_WATCHES, "Too many watches set"),
            Map.entry(WATCHES_DISABLED, "Watches cannot be set if read your writes is disabled"),
            Map.entry(ACCESSED_UNREADABLE, "Read or wrote an unreadable key"),
            Map.entry(PROCESS_BEHIND, "Storage process does not have recent mutations"),
            Map.entry(DATABASE_LOCKED, "Database is locked"),
            Map.entry(CLUSTER_VERSION_CHANGED, "The protocol version of the cluster has changed"),
            Map.entry(COMMIT_PROXY_MEMORY_LIMIT, "Commit proxy commit memory limit exceeded"),
            Map.entry(BATCH_TRANSACTION_THROTTLED, "Batch GRV request rate limit exceeded"),
            Map.entry(BROKEN_PROMISE, "Broken promise"),
            Map.entry(OPERATION_CANCELLED, "Asynchronous operation cancelled"),
            Map.entry(IO_ERROR, "Disk i/o operation failed"),
            Map.entry(CLIENT_INVALID_OPERATION, "Invalid API call"),
            Map.entry(KEY_OUTSIDE_LEGAL_RANGE, "Key outside legal range"),
            Map.entry(INVERTED_RANGE, "Range begin key larger than end key"),
            Map.entry(INVALID_OPTION_VALUE, "Option set with an invalid value"),
            Map.entry(INVALID_OPTION, "Option not valid in this context"),
            Map.entry(READ_VERSION_ALREADY_SET, "Transaction already has a read version set"),
            Map.entry(VERSION_INVALID, "Version not valid"),
            Map.entry(RANGE_LIMITS_INVALID, "Range limits not valid"),
            Map.entry(USED_DURING_COMMIT, "Operation issued while a commit was outstanding"),
            Map.entry(INVALID_MUTATION_TYPE, "Unrecognized atomic mutation type"),
            Map.entry(TRANSACTION_INVALID_VERSION, "Transaction does not have a valid commit version"),
            Map.entry(NO_COMMIT_VERSION, "Transaction is read-only and therefore does not have a commit version"),
            Map.entry(TRANSACTION_READ_ONLY, "Attempted to commit a transaction specified as read-only"),
            Map.entry(MAPPER_BAD_INDEX, "The index in K[] or V[] is not a valid number or out of range"),
            Map.entry(MAPPER_BAD_RANGE_DESCRIPTOR, "\"{...}\" must be the last element of the mapper tuple"),
            Map.entry(MAPPED_RANGE_TOO_LARGE, "One of the mapped range queries is too large"),
            Map.entry(
                    MAPPED_RANGE_READS_OWN_WRITES,
                    "getMappedRange tries to read data that were previously written in the transaction"),
            Map.entry(KEY_NOT_TUPLE, "The key cannot be parsed as a tuple"),
            Map.entry(VALUE_NOT_TUPLE, "The value cannot be parsed as a tuple"),
            Map.entry(MAPPER_NOT_TUPLE, "The mapper cannot be parsed as a tuple"),
            Map.entry(TRANSACTION_TOO_LARGE, "Transaction exceeds byte limit"),
            Map.entry(KEY_TOO_LARGE, "Key length exceeds limit"),
            Map.entry(VALUE_TOO_LARGE, "Value length exceeds limit"),
            Map.entry(UNSUPPORTED_OPERATION, "Operation is not supported"),
            Map.entry(TOO_MANY_TAGS, "Too many tags set on transaction"),
            Map.entry(TAG_TOO_LONG, "Tag set on transaction is too long"),
            Map.entry(SPECIAL_KEYS_CROSS_MODULE_READ, "Special key space range read crosses modules"),
            Map.entry(SPECIAL_KEYS_NO_MODULE_FOUND, "Special key space range read does not intersect a module"),
            Map.entry(SPECIAL_KEYS_WRITE_DISABLED, "Special key space is not allowed to write by default"),
            Map.entry(
                    SPECIAL_KEYS_NO_WRITE_MODULE_FOUND,
                    "Special key space key or keyrange in set or clear does not" + " intersect a module"),
            Map.entry(TENANT_NOT_FOUND, "Tenant does not exist"),
            Map.entry(TENANTS_DISABLED, "Tenants have been disabled in the cluster"),
            Map.entry(EXACT_MODE_WITHOUT_LIMITS, "Exact mode requires limits, but none were given"),
            Map.entry(INTERNAL_ERROR, "An internal error occurred"));

    private ErrorCode() {}

    /** Whether a retry may help and the transaction is known not to have been committed. */
    public static boolean isRetryableNotCommitted(int code) {
        return RETRYABLE_NOT_COMMITTED.contains(code);
    }

    /** Whether the transaction may have been committed although it failed. */
    public static boolean isMaybeCommitted(int code) {
        return MAYBE_COMMITTED.contains(code);
    }

    /** Whether a retry may help. */
    public static boolean isRetryable(int code) {
        return isRetryableNotCommitted(code) || isMaybeCommitted(code);
    }

    /** What the code says, in FoundationDB's words. */
    public static String describe(int code) {
        return DESCRIPTIONS.getOrDefault(code, "Unknown error");
    }
}
