/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.CertificateSource;
import dev.ratchet.crds.cluster.ClientAccessSpec;
import dev.ratchet.crds.cluster.SecretCertificates;
import dev.ratchet.operator.certificates.Authority;
import dev.ratchet.operator.certificates.AuthorityRotation;
import dev.ratchet.operator.certificates.LeafRotation;
import dev.ratchet.operator.certificates.SecretKeys;
import dev.ratchet.operator.certificates.UnusableCertificateException;
import dev.ratchet.operator.model.CertificateRequests;
import dev.ratchet.operator.model.CertificateSecrets;
import dev.ratchet.operator.model.Target;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.status.Reason;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Owns the Secrets with certificates: the authority first, because everything else is signed by it. */
final class CertificatePlanner {
    /** Label that tells clients' Secrets from others, so that those of removed clients are found. */
    private static final String CLIENT_LABEL = "ratchet.dev/client";

    private static final Duration LOOK_AGAIN = Duration.ofMinutes(2);
    private static final Duration LOOK_FOR_MISSING = Duration.ofSeconds(5);

    private final Snapshot snapshot;
    private final Target target;
    private final AuthorityRotation authorities;
    private final LeafRotation leaves;
    private final PlanBuilder plan;
    private final CertManagerPlanner certManager;
    private final boolean asks;
    private @Nullable Authority authority;

    CertificatePlanner(
            Snapshot snapshot, Target target, AuthorityRotation authorities, LeafRotation leaves, PlanBuilder plan) {
        this.snapshot = snapshot;
        this.target = target;
        this.authorities = authorities;
        this.leaves = leaves;
        this.plan = plan;
        this.certManager = new CertManagerPlanner(snapshot, target, leaves, plan);
        this.asks = target.spec().access.certificates.type == CertificateSource.CERT_MANAGER;
    }

    /** Plans the authority, or finds the user's. Nothing else can be planned without one. */
    void authority() {
        if (!asks) {
            // Before anything of ours takes the names of what cert-manager wrote.
            certManager.finish();
        }
        switch (target.spec().access.certificates.type) {
            case OPERATOR -> ownAuthority();
            case SECRET -> usersAuthority();
            case CERT_MANAGER -> {
                certManager.begin();
                operator();
            }
        }
    }

    private void ownAuthority() {
        String name = Names.authoritySecret(target.name());
        try {
            Map<String, String> data = authorities.step(data(name), target.name(), target.namespace(), snapshot.now());
            apply(name, target.labels(), data);
            authority = AuthorityRotation.authority(data);
        } catch (UnusableCertificateException unusable) {
            plan.blocked(
                    Reason.CERTIFICATES_UNUSABLE,
                    "the Secret " + name + " can not be used: " + unusable.getMessage()
                            + "; delete it to have a new authority made, which interrupts all connections once");
        }
    }

    private void usersAuthority() {
        Optional<Secret> brought = snapshot.userAuthority();
        SecretCertificates names =
                Objects.requireNonNull(target.spec().access.certificates.secret, "type Secret has it");
        // Nothing tells us of Secrets that carry no label of ours.
        plan.wakeAt(snapshot.now().plus(brought.isEmpty() ? LOOK_FOR_MISSING : LOOK_AGAIN));
        if (brought.isEmpty()) {
            plan.blocked(
                    Reason.CERTIFICATES_UNUSABLE,
                    "one of the Secrets " + names.caSecretName + " (with ca.crt) and " + names.serverSecretName
                            + " (with tls.crt and tls.key of an authority) of spec.access.certificates.secret is not"
                            + " there; create it");
            return;
        }
        try {
            authority = AuthorityRotation.authority(CertificateSecrets.data(brought.get()));
        } catch (UnusableCertificateException unusable) {
            plan.blocked(
                    Reason.CERTIFICATES_UNUSABLE,
                    "the Secret " + names.serverSecretName + " of spec.access.certificates.secret can not be used: "
                            + unusable.getMessage());
        }
    }

    /** Plans the worker's Secret; tells whether it is there or comes with this plan. */
    boolean worker(String seat, Map<String, String> labels) {
        return pod(new Identity(target.namespace(), target.name(), Kind.WORKER, seat), seat, labels);
    }

    /** Plans the store's Secret; tells whether it is there or comes with this plan. */
    boolean store(String pod, Map<String, String> labels) {
        return pod(new Identity(target.namespace(), target.name(), Kind.STORE, pod), pod, labels);
    }

    /** Leaves alone what a leaving worker still needs. */
    void keep(String seat) {
        certManager.keep(Names.podCertificate(seat));
    }

    /** Plans the end of a worker's Secret. */
    void remove(String seat) {
        if (!asks) {
            plan.delete(snapshot.secrets().get(Names.podCertificate(seat)));
        }
    }

    /** Plans the end of what is not wanted any more; the last to be called. */
    void finish() {
        if (asks) {
            certManager.finish();
        }
    }

    private void operator() {
        Identity identity = new Identity(target.namespace(), target.name(), Kind.OPERATOR, "operator");
        certManager.leaf(CertificateSecrets.operator(target.name()), target.labels(), identity);
    }

    private boolean pod(Identity identity, String pod, Map<String, String> labels) {
        String name = Names.podCertificate(pod);
        if (asks) {
            return certManager.leaf(name, labels, identity).isPresent();
        }
        Optional<Map<String, String>> data = leaf(name, identity);
        data.ifPresent(found -> apply(name, labels, found));
        return data.isPresent();
    }

    /** Plans the Secrets of clients, and the end of those that are not listed any more. */
    void clients() {
        Set<String> wanted = new HashSet<>();
        if (target.spec().access.defaultClient) {
            client(CertificateSecrets.DEFAULT_CLIENT, Names.defaultClientSecret(target.name()), wanted);
        }
        for (ClientAccessSpec client : target.spec().access.clients) {
            client(
                    client.name,
                    client.secretName.isEmpty() ? Names.clientSecret(target.name(), client.name) : client.secretName,
                    wanted);
        }
        snapshot.secrets().values().stream()
                .filter(secret -> secret.getMetadata().getLabels().containsKey(CLIENT_LABEL))
                .filter(secret -> !wanted.contains(secret.getMetadata().getName()))
                .filter(secret -> !CertificateRequests.made(secret))
                .forEach(plan::delete);
    }

    private void client(String client, String secret, Set<String> wanted) {
        wanted.add(secret);
        Identity identity = new Identity(target.namespace(), target.name(), Kind.CLIENT, client);
        Map<String, String> labels = new TreeMap<>(target.labels());
        labels.put(CLIENT_LABEL, client);
        Optional<String> address = snapshot.serviceAddress(Names.clientService(target.name()));
        Optional<String> circuit = target.spec().circuit == null
                ? Optional.empty()
                : snapshot.serviceAddress(Names.circuitService(target.name()));
        if (asks) {
            String connection = CertificateSecrets.connection(secret);
            wanted.add(connection);
            Optional<Map<String, String>> data = certManager.client(secret, labels, identity);
            if (data.isPresent() && address.isPresent()) {
                Map<String, String> all = CertificateSecrets.withConnection(target, data.get(), address.get(), circuit);
                all.keySet().retainAll(Set.of(SecretKeys.CONNECTION));
                apply(connection, labels, all);
            }
            return;
        }
        if (address.isEmpty()) {
            // Whoever reads the Secret as soon as it is there must get a document that is complete.
            return;
        }
        leaf(secret, identity)
                .ifPresent(data ->
                        apply(secret, labels, CertificateSecrets.withConnection(target, data, address.get(), circuit)));
    }

    private Optional<Map<String, String>> leaf(String secret, Identity identity) {
        if (authority == null || CertificateRequests.made(snapshot.secrets().get(secret))) {
            return Optional.empty();
        }
        Map<String, String> data = leaves.step(data(secret), identity, authority, snapshot.now());
        LeafRotation.renewAt(data).ifPresent(plan::wakeAt);
        return Optional.of(data);
    }

    private void apply(String name, Map<String, String> labels, Map<String, String> data) {
        plan.apply(snapshot.secrets().get(name), CertificateSecrets.of(target, name, labels, data));
    }

    private Map<String, String> data(String secret) {
        return CertificateSecrets.data(snapshot.secrets().get(secret));
    }
}
