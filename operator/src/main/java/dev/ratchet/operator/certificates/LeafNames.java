/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.certificates;

import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Owns the names in a certificate, whoever signs it: the URI that says who a process is, and how it is called. */
public final class LeafNames {
    private LeafNames() {}

    /**
     * The names under which {@code subject} is called; a worker also answers for the client service of its cluster, and
     * for the circuit's, which ordinary tools call by its name in Kubernetes.
     */
    public static List<String> dnsNames(Identity subject) {
        return subject.kind() == Kind.WORKER
                ? List.of(
                        subject.authority(),
                        Identity.authority(subject.cluster() + "-client", subject.namespace()),
                        subject.cluster() + "-circuit." + subject.namespace() + ".svc")
                : List.of(subject.authority());
    }

    /** Whether the certificate among these entries of a Secret, which are decoded, has the names of {@code subject}. */
    public static boolean cover(Map<String, String> data, Identity subject) {
        return LeafRotation.certificate(data)
                .map(certificate -> names(certificate).containsAll(wanted(subject)))
                .orElse(false);
    }

    static boolean fit(X509Certificate certificate, Identity subject) {
        return names(certificate).equals(wanted(subject));
    }

    private static Set<String> wanted(Identity subject) {
        Set<String> wanted = new HashSet<>(dnsNames(subject));
        wanted.add(subject.uri());
        return wanted;
    }

    private static Set<String> names(X509Certificate certificate) {
        Set<String> names = new HashSet<>();
        try {
            Collection<List<?>> found = certificate.getSubjectAlternativeNames();
            if (found != null) {
                found.forEach(name -> names.add(String.valueOf(name.get(1))));
            }
        } catch (CertificateParsingException unreadable) {
            return Set.of();
        }
        return names;
    }
}
