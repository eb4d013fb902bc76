/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.objects;

import java.util.List;

/**
 * How a write is meant.
 *
 * @param dryRun do everything but store the result
 * @param manager whose fields they are
 * @param force take fields from other managers when applying
 * @param validation {@code Ignore}, {@code Warn} or {@code Strict}: what to do about unknown fields
 * @param warnings where warnings for the client go
 */
public record WriteOptions(boolean dryRun, String manager, boolean force, String validation, List<String> warnings) {

    /** A write of the stand-in itself. */
    public static WriteOptions internal() {
        return new WriteOptions(false, "kube-controller-manager", true, "Ignore", new java.util.ArrayList<>());
    }
}
