/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Who a process is, as its certificate states it: one URI {@code ratchet://<namespace>/<cluster>/<kind>/<name>}. Each
 * part is a Kubernetes name (lower-case letters, digits, '-' and '.', at most 253 characters), so that the URI has one
 * spelling and two identities are equal exactly when their URIs are.
 *
 * @param namespace Kubernetes namespace of the cluster
 * @param cluster name of the ComputeCluster
 * @param kind what the process is
 * @param name which one of that kind; for a worker its seat
 */
public record Identity(String namespace, String cluster, Kind kind, String name) {

    /** What a process is. What a caller may do depends on this alone, and for a worker also on its seat. */
    public enum Kind {
        WORKER,
        STORE,
        CLIENT,
        OPERATOR;

        /** The word in the URI. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final String SCHEME = "ratchet://";
    private static final Pattern PART = Pattern.compile("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?");
    private static final int URI_NAME = 6;

    /** @throws IllegalArgumentException if a part is not a Kubernetes name */
    public Identity {
        requireName("namespace", namespace);
        requireName("cluster", cluster);
        requireName("name", name);
    }

    private static void requireName(String part, String value) {
        if (!PART.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "The " + part + " of an identity must be a Kubernetes name, not '" + value + "'");
        }
    }

    /** The identity that {@code uri} spells. @throws IllegalArgumentException if it spells none */
    public static Identity parse(String uri) {
        String[] parts = uri.startsWith(SCHEME) ? uri.substring(SCHEME.length()).split("/", -1) : new String[0];
        if (parts.length == 4) {
            for (Kind kind : Kind.values()) {
                if (kind.word().equals(parts[2])) {
                    return new Identity(parts[0], parts[1], kind, parts[3]);
                }
            }
        }
        throw new IllegalArgumentException(
                "An identity is written ratchet://<namespace>/<cluster>/<worker|store|client|operator>/<name>, not '"
                        + uri + "'");
    }

    /** The identity in a certificate's alternative names, or nothing if there is none or more than one. */
    public static Optional<Identity> of(X509Certificate certificate) {
        Collection<List<?>> names;
        try {
            names = certificate.getSubjectAlternativeNames();
        } catch (CertificateParsingException unreadable) {
            return Optional.empty();
        }
        if (names == null) {
            return Optional.empty();
        }
        List<String> uris = names.stream()
                .filter(name -> Integer.valueOf(URI_NAME).equals(name.get(0)))
                .map(name -> String.valueOf(name.get(1)))
                .filter(uri -> uri.startsWith(SCHEME))
                .toList();
        if (uris.size() != 1) {
            return Optional.empty();
        }
        try {
            return Optional.of(parse(uris.get(0)));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    /** The URI that certificates carry. */
    public String uri() {
        return SCHEME + namespace + "/" + cluster + "/" + kind.word() + "/" + name;
    }

    /** The DNS name in the certificate, to which a caller sets the authority whatever address it dials. */
    public String authority() {
        return authority(name, namespace);
    }

    /**
     * The authority of the process, or of the service of several processes, called {@code name} in {@code namespace}.
     */
    public static String authority(String name, String namespace) {
        return name + "." + namespace + ".ratchet";
    }

    @Override
    public String toString() {
        return uri();
    }
}
