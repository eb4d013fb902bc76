/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import dev.ratchet.crds.Names;
import dev.ratchet.operator.observe.CoordinatorStatement;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the question whether this operator knows what it meets: custom resources stored in a version, or a store written
 * in a format, of a later release. If it does not, it changes nothing and says so. Definitions are read at most once in
 * {@link #READ_EVERY}; where that is not permitted the question is left to the API server, which serves our version or
 * does not.
 */
public final class Compatibility {
    /** The newest format of the store that this release knows. */
    static final int STORE_FORMAT = 1;

    /** The newest schema of the custom resources that this release knows. */
    static final int SCHEMA = Names.SCHEMA;

    private static final String SCHEMA_ANNOTATION = "ratchet.dev/schema";

    private static final Logger LOG = LoggerFactory.getLogger(Compatibility.class);
    private static final Duration READ_EVERY = Duration.ofMinutes(10);
    private static final List<String> DEFINITIONS =
            List.of("computeclusters.ratchet.dev", "computelayouts.ratchet.dev", "computeworkers.ratchet.dev");

    private final KubernetesClient client;
    private final InstantSource clock;
    private Optional<String> newerDefinition = Optional.empty();
    private Instant readAt = Instant.MIN;

    public Compatibility(KubernetesClient client, InstantSource clock) {
        this.client = client;
        this.clock = clock;
    }

    /** Why nothing may be changed; empty if all is known. */
    public Optional<String> objection(Optional<CoordinatorStatement> statement) {
        Optional<String> store = statement
                .filter(said -> said.storeFormat() > STORE_FORMAT)
                .map(said -> "the store is written in format " + said.storeFormat() + " and this operator knows format "
                        + STORE_FORMAT + "; upgrade the operator");
        return store.isPresent() ? store : definitions();
    }

    private synchronized Optional<String> definitions() {
        Instant now = clock.instant();
        if (readAt.equals(Instant.MIN) || now.isAfter(readAt.plus(READ_EVERY))) {
            readAt = now;
            newerDefinition = read();
        }
        return newerDefinition;
    }

    private Optional<String> read() {
        try {
            return DEFINITIONS.stream()
                    .map(name -> client.apiextensions()
                            .v1()
                            .customResourceDefinitions()
                            .withName(name)
                            .get())
                    .filter(definition -> definition != null && isNewer(definition))
                    .map(definition ->
                            "the definition " + definition.getMetadata().getName() + " stores a version later than "
                                    + Names.VERSION + ", which this operator does not know; upgrade the operator")
                    .findFirst();
        } catch (KubernetesClientException refused) {
            LOG.debug("the definitions of the custom resources can not be read: {}", refused.getMessage());
            return Optional.empty();
        }
    }

    private static boolean isNewer(CustomResourceDefinition definition) {
        return schema(definition) > SCHEMA
                || definition.getSpec().getVersions().stream()
                        .anyMatch(version -> Boolean.TRUE.equals(version.getStorage())
                                && !version.getName().equals(Names.VERSION));
    }

    private static int schema(CustomResourceDefinition definition) {
        Map<String, String> annotations = definition.getMetadata().getAnnotations();
        String schema = annotations == null ? null : annotations.get(SCHEMA_ANNOTATION);
        try {
            return schema == null ? 0 : Integer.parseInt(schema);
        } catch (NumberFormatException unknown) {
            return Integer.MAX_VALUE;
        }
    }
}
