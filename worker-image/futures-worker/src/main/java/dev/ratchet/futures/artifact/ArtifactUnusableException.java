/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.artifact;

/** The store has no such artifact, or it is damaged there. */
public final class ArtifactUnusableException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    ArtifactUnusableException(String message) {
        super(message);
    }
}
