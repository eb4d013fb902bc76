/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.FDBException;

/**
 * An error with FoundationDB's code that was made without its client library. The predicates of {@link FDBException}
 * ask native code; these ask {@link ErrorCode}.
 */
public class EmbeddedFDBException extends FDBException {
    private static final long serialVersionUID = 1L;

    /** An error with FoundationDB's own words for its code. */
    public EmbeddedFDBException(int code) {
        this(ErrorCode.describe(code), code);
    }

    /** An error with a message that says more than the code does. */
    public EmbeddedFDBException(String message, int code) {
        super(message, code);
    }

    @Override
    public boolean isRetryable() {
        return ErrorCode.isRetryable(getCode());
    }

    @Override
    public boolean isMaybeCommitted() {
        return ErrorCode.isMaybeCommitted(getCode());
    }

    @Override
    public boolean isRetryableNotCommitted() {
        return ErrorCode.isRetryableNotCommitted(getCode());
    }

    @Override
    public Exception retargetClone() {
        EmbeddedFDBException clone = new EmbeddedFDBException(String.valueOf(getMessage()), getCode());
        clone.initCause(this);
        return clone;
    }
}
