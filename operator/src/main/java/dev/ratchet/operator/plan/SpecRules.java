/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.CertificateSource;
import dev.ratchet.crds.cluster.ClientAccessSpec;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.LayoutPolicy;
import dev.ratchet.crds.cluster.StoreType;
import dev.ratchet.crds.schema.ChangeImpact;
import dev.ratchet.operator.model.CertificateSecrets;
import dev.ratchet.operator.model.Images;
import dev.ratchet.operator.model.Settings;
import dev.ratchet.operator.status.Reason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Owns what makes a spec unacceptable. It repeats what the schema and its rules say, because API servers before 1.25 do
 * not evaluate those, and adds what they can not say. What this release can not do is refused here, never ignored.
 */
final class SpecRules {
    /** One thing that is wrong, said so that a person can put it right. */
    record Problem(Reason reason, String message) {}

    private static final Pattern LABEL = Pattern.compile("^[a-z]([-a-z0-9]*[a-z0-9])?$");
    private static final Pattern RELEASE =
            Pattern.compile("^[0-9]{1,9}\\.[0-9]{1,9}\\.[0-9]{1,9}(-[0-9A-Za-z][-.0-9A-Za-z]*)?$");
    /** What the pod of the store is made from. */
    private static final String STORE = "spec.store.";

    /** How workers reach a FoundationDB cluster, which an upgrade changes; which cluster it is stays. */
    private static final Set<String> STORE_OF_WORKERS =
            Set.of("spec.store.foundationDB.clientImage", "spec.store.foundationDB.tlsSecretName");

    /** Also of one layout, in which those are that an upgrade adds. */
    static final int REPLICAS_MAX = 1000;

    private static final int THREADS_MAX = 1024;
    private static final long DRAIN_TIMEOUT_MILLIS_MAX = 86_400_000;

    /** With the suffix of the connection's Secret it is still a name. */
    private static final int SECRET_NAME_LENGTH_MAX = 240;

    private final List<Problem> problems = new ArrayList<>();

    private SpecRules() {}

    /** What is wrong with {@code spec} whatever was there before; most important first. */
    static List<Problem> of(String cluster, ComputeClusterSpec spec, Settings settings) {
        SpecRules rules = new SpecRules();
        rules.name(cluster);
        rules.version(spec, settings.release());
        rules.store(spec);
        rules.workers(spec);
        rules.clients(cluster, spec);
        rules.certificates(spec);
        rules.notSupported(spec);
        rules.problems.addAll(CircuitRules.of(spec));
        rules.problems.addAll(UpgradeRules.of(spec.upgrade, spec.workers.replicas));
        rules.problems.addAll(ResourceRules.of(spec));
        rules.problems.addAll(SlotRules.of(spec));
        rules.problems.addAll(PodTemplateRules.worker(spec, settings.pods().allowed()));
        rules.problems.addAll(PodTemplateRules.store(spec, settings.pods().allowed()));
        return rules.problems;
    }

    /**
     * What is wrong with going from {@code accepted} to {@code spec}.
     *
     * @param running whether a worker pod has ever started, so that another pod can not simply take its place
     * @param volatileStore whether a store runs whose data would end with its pod
     */
    static List<Problem> ofChange(
            ComputeClusterSpec accepted, ComputeClusterSpec spec, boolean running, boolean volatileStore) {
        List<Problem> problems = new ArrayList<>();
        boolean keepsCircuit = running && accepted.circuit != null && spec.circuit != null;
        for (SpecDifference difference : SpecDifference.between(accepted, spec)) {
            String path = difference.path();
            if (difference.change() == ChangeImpact.IMMUTABLE) {
                problems.add(new Problem(
                        Reason.IMMUTABLE_FIELD,
                        path + " can not be changed; put the old value back, or create a new cluster"));
            } else if (difference.change() == ChangeImpact.REFUSED) {
                problems.add(new Problem(
                        Reason.NOT_SUPPORTED,
                        path + " can not be changed: this release does not resize volumes; put the old value back"));
            } else if (running && path.startsWith(STORE) && !STORE_OF_WORKERS.contains(path)) {
                problems.add(new Problem(
                        Reason.NOT_SUPPORTED,
                        path + " can not be changed while pods run: this release replaces no store that is in use; set"
                                + " spec.workers.replicas to 0, wait until status.replicas is 0, change it, then scale"
                                + " out again"));
            } else if (volatileStore && path.startsWith(STORE)) {
                problems.add(new Problem(
                        Reason.NOT_SUPPORTED,
                        path + " can not be changed: the store has no volume (spec.store.embedded.storage), so a new"
                                + " pod would lose all data; create a new cluster instead"));
            } else if (keepsCircuit) {
                CircuitRules.ofChange(difference, spec).ifPresent(problems::add);
            }
        }
        if (running) {
            problems.addAll(UpgradeRules.ofVersions(accepted.version, spec.version));
        }
        return problems;
    }

    private void name(String cluster) {
        if (cluster.length() > Names.CLUSTER_NAME_LENGTH_MAX
                || !LABEL.matcher(cluster).matches()) {
            invalid("the name " + cluster + " must be at most " + Names.CLUSTER_NAME_LENGTH_MAX
                    + " lower-case letters, digits and hyphens and start with a letter: pods are named after it");
        }
    }

    private void version(ComputeClusterSpec spec, String release) {
        if (!RELEASE.matcher(spec.version).matches()) {
            invalid("spec.version is '" + spec.version + "' and must be a release such as " + release);
        } else if (Images.isNewer(spec.version, release)) {
            unsupported("spec.version " + spec.version + " is newer than this operator, which is " + release
                    + "; upgrade the operator first");
        }
    }

    private void store(ComputeClusterSpec spec) {
        boolean foundation = spec.store.type == StoreType.FOUNDATION_DB;
        if (foundation != (spec.store.foundationDB != null)) {
            invalid("spec.store.foundationDB must be set if and only if spec.store.type is FoundationDB");
        }
        if (foundation && spec.store.embedded != null) {
            invalid("spec.store.embedded must not be set if spec.store.type is FoundationDB");
        }
    }

    private void workers(ComputeClusterSpec spec) {
        range("spec.workers.replicas", spec.workers.replicas, 0, REPLICAS_MAX);
        range("spec.workers.threads", spec.workers.threads, 1, THREADS_MAX);
        range("spec.workers.drainTimeoutMillis", spec.workers.drainTimeoutMillis, 0, DRAIN_TIMEOUT_MILLIS_MAX);
        range("spec.layout.historyLimit", spec.layout.historyLimit, 1, 100);
    }

    private void clients(String cluster, ComputeClusterSpec spec) {
        Set<String> names = new HashSet<>();
        Set<String> secrets = new HashSet<>();
        names.add(CertificateSecrets.DEFAULT_CLIENT);
        secrets.add(Names.defaultClientSecret(cluster));
        boolean asks = spec.access.certificates.type == CertificateSource.CERT_MANAGER;
        if (asks) {
            secrets.add(CertificateSecrets.connection(Names.defaultClientSecret(cluster)));
        }
        secrets.add(Names.authoritySecret(cluster));
        for (ClientAccessSpec client : spec.access.clients) {
            String secret = client.secretName.isEmpty() ? Names.clientSecret(cluster, client.name) : client.secretName;
            if (!LABEL.matcher(client.name).matches()) {
                invalid("spec.access.clients: the name '" + client.name + "' must be a DNS label");
            }
            if (secret.length() > SECRET_NAME_LENGTH_MAX) {
                invalid("spec.access.clients: the Secret name of client " + client.name + " must have at most "
                        + SECRET_NAME_LENGTH_MAX + " characters");
            }
            if (!names.add(client.name)) {
                invalid("spec.access.clients: the name " + client.name + " is taken; choose another");
            }
            boolean taken = !secrets.add(secret) || (asks && !secrets.add(CertificateSecrets.connection(secret)));
            if (taken || secret.endsWith("-tls")) {
                invalid("spec.access.clients: the Secret " + secret + " of client " + client.name
                        + " is used for something else; choose another secretName");
            }
        }
    }

    private void certificates(ComputeClusterSpec spec) {
        switch (spec.access.certificates.type) {
            case OPERATOR -> {}
            case SECRET -> {
                if (spec.access.certificates.secret == null) {
                    invalid("spec.access.certificates.secret must be set if the type is Secret");
                }
            }
            case CERT_MANAGER -> {
                if (spec.access.certificates.certManager == null
                        || spec.access.certificates.certManager.issuerRef.name.isEmpty()) {
                    invalid("spec.access.certificates.certManager.issuerRef.name must be set if the type is"
                            + " CertManager");
                }
            }
        }
    }

    private void notSupported(ComputeClusterSpec spec) {
        LayoutPolicy layout = new LayoutPolicy();
        layout.historyLimit = spec.layout.historyLimit;
        if (!spec.layout.equals(layout)) {
            unsupported("spec.layout: this release moves no state of a circuit; leave all but historyLimit unset");
        }
    }

    private void range(String path, long value, long min, long max) {
        if (value < min || value > max) {
            invalid(path + " is " + value + " and must be from " + min + " to " + max);
        }
    }

    private void invalid(String message) {
        problems.add(new Problem(Reason.INVALID_SPEC, message));
    }

    private void unsupported(String message) {
        problems.add(new Problem(Reason.NOT_SUPPORTED, message));
    }
}
