/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.certificates;

import org.jspecify.annotations.Nullable;

/**
 * Says that a certificate or key which somebody supplied can not be used. The message names what is wrong with it,
 * never its content.
 */
public final class UnusableCertificateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnusableCertificateException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
