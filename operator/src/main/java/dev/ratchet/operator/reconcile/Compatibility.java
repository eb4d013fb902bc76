/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import dev.ratchet.crds.Names;
import dev.ratchet.operator.observe.CoordinatorReport;
import dev.ratchet.operator.plan.Obstacle;
import dev.ratchet.operator.status.Reason;
import dev.ratchet.protocol.release.Release;
import dev.ratchet.protocol.release.VersionRange;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the question whether this operator knows what it meets: custom resources, or a store written in a format, of
 * another release. If it does not, it changes nothing and says so: of two operators at once the one whose definitions
 * are installed works. Definitions are read at most once in {@link #READ_EVERY}; where that is not permitted the
 * question is left to the API server, which serves our version or does not. Thread-safe.
 */
public final class Compatibility {
    private static final Logger LOG = LoggerFactory.getLogger(Compatibility.class);
    private static final Duration READ_EVERY = Duration.ofMinutes(1);
    private static final List<String> DEFINITIONS =
            List.of("computeclusters.ratchet.dev", "computelayouts.ratchet.dev", "computeworkers.ratchet.dev");
    private static final String INSTALL = "; install those of this release: helm upgrade of its chart with"
            + " crds.enabled=true, or kubectl apply --server-side -f crds/yaml";

    private final KubernetesClient client;
    private final InstantSource clock;
    private Optional<Obstacle> known = Optional.empty();
    private Instant readAt = Instant.MIN;

    public Compatibility(KubernetesClient client, InstantSource clock) {
        this.client = client;
        this.clock = clock;
    }

    /** Why nothing may be changed; empty if all is known. */
    Optional<Obstacle> objection(Optional<CoordinatorReport> clusterReport) {
        Optional<Obstacle> store = clusterReport
                .filter(said -> said.storeFormat() > VersionRange.FORMATS.newest())
                .map(said -> new Obstacle(
                        Reason.NEWER_VERSION,
                        "the formats of the store are of level " + said.storeFormat() + ", and this operator, release "
                                + Release.VERSION + ", knows levels " + VersionRange.FORMATS
                                + "; upgrade the operator"));
        return store.isPresent() ? store : definitions();
    }

    /** What is wrong with the definitions; reads them if that was long ago. */
    public synchronized Optional<Obstacle> definitions() {
        Instant now = clock.instant();
        if (readAt.equals(Instant.MIN) || now.isAfter(readAt.plus(READ_EVERY))) {
            readAt = now;
            Optional<Obstacle> found = read();
            if (!found.equals(known)) {
                found.ifPresentOrElse(
                        obstacle -> LOG.error("nothing is changed: {}", obstacle.message()),
                        () -> LOG.info("the definitions are those of this release now"));
            }
            known = found;
        }
        return known;
    }

    /** What was wrong with the definitions when they were read last; reads them again only if something was. */
    public synchronized Optional<Obstacle> problem() {
        return known.isPresent() ? definitions() : known;
    }

    private Optional<Obstacle> read() {
        try {
            return DEFINITIONS.stream()
                    .map(name -> judge(
                            name,
                            client.apiextensions()
                                    .v1()
                                    .customResourceDefinitions()
                                    .withName(name)
                                    .get()))
                    .flatMap(Optional::stream)
                    .findFirst();
        } catch (KubernetesClientException refused) {
            LOG.debug("the definitions of the custom resources can not be read: {}", refused.getMessage());
            return Optional.empty();
        }
    }

    private static Optional<Obstacle> judge(String name, @Nullable CustomResourceDefinition definition) {
        if (definition == null) {
            return older("the definition " + name + " is not installed" + INSTALL);
        }
        Optional<String> stored = definition.getSpec().getVersions().stream()
                .filter(version -> Boolean.TRUE.equals(version.getStorage()))
                .map(CustomResourceDefinitionVersion::getName)
                .filter(version -> !version.equals(Names.VERSION))
                .findFirst();
        if (stored.isPresent()) {
            return newer("the definition " + name + " stores version " + stored.get() + ", and this operator knows "
                    + Names.VERSION);
        }
        Map<String, String> annotations = definition.getMetadata().getAnnotations();
        String schema = annotations == null ? null : annotations.get(Names.SCHEMA_ANNOTATION);
        if (schema == null) {
            return older("the definition " + name + " is of another origin or an older release: it has no annotation "
                    + Names.SCHEMA_ANNOTATION + INSTALL);
        }
        return judge(name, schema);
    }

    private static Optional<Obstacle> judge(String name, String schema) {
        String both =
                "the definition " + name + " has schema " + schema + ", and this operator knows schema " + Names.SCHEMA;
        try {
            int number = Integer.parseInt(schema);
            return number > Names.SCHEMA
                    ? newer(both)
                    : number < Names.SCHEMA ? older(both + INSTALL) : Optional.empty();
        } catch (NumberFormatException unknown) {
            return newer(both);
        }
    }

    private static Optional<Obstacle> newer(String message) {
        return Optional.of(new Obstacle(Reason.NEWER_VERSION, message + "; upgrade the operator"));
    }

    private static Optional<Obstacle> older(String message) {
        return Optional.of(new Obstacle(Reason.OLDER_DEFINITIONS, message));
    }
}
