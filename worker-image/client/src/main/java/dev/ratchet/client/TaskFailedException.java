/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/**
 * The user's code failed in every attempt that it was allowed. The failure of the last attempt travels as text, because
 * its class need not exist here.
 */
public class TaskFailedException extends RatchetException {
    private static final long serialVersionUID = 1L;

    private final String causeType;
    private final String remoteStackTrace;
    private final int attempts;

    /**
     * @param causeType class name of what the last attempt threw, or of the reason for which it was given up
     * @param remoteStackTrace as the worker printed it; may be empty
     * @param attempts how often the task was tried
     */
    public TaskFailedException(String message, String causeType, String remoteStackTrace, int attempts) {
        super(message);
        this.causeType = causeType;
        this.remoteStackTrace = remoteStackTrace;
        this.attempts = attempts;
    }

    /** Class name of what the last attempt threw, or of the reason for which it was given up. */
    public String causeType() {
        return causeType;
    }

    /** The stack trace as the worker printed it, at most 16,000 characters; empty where nothing was thrown. */
    public String remoteStackTrace() {
        return remoteStackTrace;
    }

    /** How often the task was tried: 1 for one that was not tried again. */
    public int attempts() {
        return attempts;
    }
}
