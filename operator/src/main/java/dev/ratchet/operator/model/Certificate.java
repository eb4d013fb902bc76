/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A Certificate of cert-manager, with as much of its structure as is asked for here. */
@Group("cert-manager.io")
@Version("v1")
@Kind("Certificate")
@Plural("certificates")
public final class Certificate extends CustomResource<CertificateSpec, Void> implements Namespaced {
    private static final long serialVersionUID = 1L;
}
