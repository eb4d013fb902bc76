/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.ClientAccess;
import dev.ratchet.operator.certificates.Authority;
import dev.ratchet.operator.certificates.AuthorityRotation;
import dev.ratchet.operator.certificates.LeafRotation;
import dev.ratchet.operator.certificates.UnusableCertificateException;
import dev.ratchet.operator.model.CertificateSecrets;
import dev.ratchet.operator.model.Target;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Owns the Secrets with certificates: the authority first, because everything else is signed by it. */
final class CertificatePlanner {
    /** The client that every cluster has. */
    private static final String DEFAULT_CLIENT = "default";

    /** Label that tells clients' Secrets from others, so that those of removed clients are found. */
    private static final String CLIENT_LABEL = "ratchet.dev/client";

    private final Snapshot snapshot;
    private final Target target;
    private final AuthorityRotation authorities;
    private final LeafRotation leaves;
    private final PlanBuilder plan;
    private @Nullable Authority authority;

    CertificatePlanner(
            Snapshot snapshot, Target target, AuthorityRotation authorities, LeafRotation leaves, PlanBuilder plan) {
        this.snapshot = snapshot;
        this.target = target;
        this.authorities = authorities;
        this.leaves = leaves;
        this.plan = plan;
    }

    /** Plans the authority, or finds the user's. Nothing else can be planned without one. */
    void authority() {
        switch (target.spec().access.certificates.type) {
            case OPERATOR -> ownAuthority();
            case SECRET -> usersAuthority();
            case CERT_MANAGER -> {}
        }
    }

    private void ownAuthority() {
        String name = Names.authoritySecret(target.name());
        try {
            Map<String, String> data = authorities.step(data(name), target.name(), target.namespace(), snapshot.now());
            apply(name, target.labels(), data);
            authority = AuthorityRotation.authority(data);
        } catch (UnusableCertificateException unusable) {
            plan.blocked("the Secret " + name + " can not be used: " + unusable.getMessage()
                    + "; delete it to have a new authority made, which interrupts all connections once");
        }
    }

    private void usersAuthority() {
        Optional<Secret> brought = snapshot.userAuthority();
        if (brought.isEmpty()) {
            plan.blocked("the Secrets named by spec.access.certificates.secret are not there; create them");
            return;
        }
        try {
            authority = AuthorityRotation.authority(CertificateSecrets.data(brought.get()));
        } catch (UnusableCertificateException unusable) {
            plan.blocked("the Secret named by spec.access.certificates.secret.serverSecretName can not be used: "
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

    private boolean pod(Identity identity, String pod, Map<String, String> labels) {
        String name = Names.podCertificate(pod);
        Optional<Map<String, String>> data = leaf(name, identity);
        data.ifPresent(found -> apply(name, labels, found));
        return data.isPresent();
    }

    /** Plans the Secrets of clients, and the end of those that are not listed any more. */
    void clients() {
        Set<String> wanted = new HashSet<>();
        client(DEFAULT_CLIENT, Names.defaultClientSecret(target.name()), wanted);
        for (ClientAccess client : target.spec().access.clients) {
            client(
                    client.name,
                    client.secretName.isEmpty() ? Names.clientSecret(target.name(), client.name) : client.secretName,
                    wanted);
        }
        snapshot.secrets().values().stream()
                .filter(secret -> secret.getMetadata().getLabels().containsKey(CLIENT_LABEL))
                .filter(secret -> !wanted.contains(secret.getMetadata().getName()))
                .forEach(plan::delete);
    }

    private void client(String client, String secret, Set<String> wanted) {
        wanted.add(secret);
        Identity identity = new Identity(target.namespace(), target.name(), Kind.CLIENT, client);
        Map<String, String> labels = new TreeMap<>(target.labels());
        labels.put(CLIENT_LABEL, client);
        Optional<String> address = snapshot.serviceAddress(Names.clientService(target.name()));
        if (address.isEmpty()) {
            // Whoever reads the Secret as soon as it is there must get a document that is complete.
            return;
        }
        leaf(secret, identity)
                .ifPresent(
                        data -> apply(secret, labels, CertificateSecrets.withConnection(target, data, address.get())));
    }

    private Optional<Map<String, String>> leaf(String secret, Identity identity) {
        if (authority == null) {
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
