/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.apply;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** Says that a name which a cluster needs is taken by an object that is not the operator's. It is never taken over. */
public final class ForeignObjectException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ForeignObjectException(HasMetadata wanted) {
        super(wanted.getKind() + " " + wanted.getMetadata().getName()
                + " exists and does not belong to this cluster; delete it or rename the cluster");
    }
}
