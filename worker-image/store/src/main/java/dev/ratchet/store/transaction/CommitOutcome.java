/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

/**
 * Where a commit went: together the ten bytes of its versionstamp.
 *
 * @param version commit version, greater than any read version handed out before
 * @param batchIndex order among the commits of that version, 0 to 65535
 */
public record CommitOutcome(long version, int batchIndex) {

    /** The versionstamp: version (8 bytes) and batch index (2 bytes), big-endian. */
    public byte[] versionstamp() {
        byte[] stamp = new byte[10];
        for (int i = 0; i < 8; i++) {
            stamp[i] = (byte) (version >>> (56 - 8 * i));
        }
        stamp[8] = (byte) (batchIndex >>> 8);
        stamp[9] = (byte) batchIndex;
        return stamp;
    }
}
