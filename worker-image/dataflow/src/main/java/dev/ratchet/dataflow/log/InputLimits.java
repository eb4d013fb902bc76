/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.log;

/**
 * How much a circuit takes.
 *
 * @param rowBytes longest line of a request
 * @param requestBytes largest request; one transaction of the store carries it
 * @param waitingBytes of requests that are in no step yet, beyond which no more are taken
 * @param loggedBytes of the whole log, which is kept until all processes have a version behind it on their disks
 */
public record InputLimits(int rowBytes, int requestBytes, long waitingBytes, long loggedBytes) {

    public static final InputLimits DEFAULT = new InputLimits(1 << 20, 8 << 20, 256L << 20, 2L << 30);
}
