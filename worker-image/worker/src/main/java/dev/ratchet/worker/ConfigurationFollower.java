/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.environment.Environment;
import dev.ratchet.store.ClusterConfiguration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the configuration every few seconds and tells when it has changed. One that can not be used is reported once
 * and leaves the former in force.
 */
final class ConfigurationFollower {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationFollower.class);
    private static final long PERIOD_MILLIS = 2_000;

    private final Supplier<ClusterConfiguration> source;
    private final Consumer<ClusterConfiguration> changed;
    private final Environment environment;
    private ClusterConfiguration inForce;
    private String lastMistake = "";

    /** @param source reads the file; throws IllegalArgumentException if it can not be used */
    ConfigurationFollower(
            ClusterConfiguration inForce,
            Supplier<ClusterConfiguration> source,
            Consumer<ClusterConfiguration> changed,
            Environment environment) {
        this.inForce = inForce;
        this.source = source;
        this.changed = changed;
        this.environment = environment;
    }

    void start() {
        environment.schedule(PERIOD_MILLIS, this::look);
    }

    private void look() {
        environment.schedule(PERIOD_MILLIS, this::look);
        try {
            ClusterConfiguration found = source.get();
            lastMistake = "";
            if (!found.equals(inForce)) {
                inForce = found;
                changed.accept(found);
            }
        } catch (IllegalArgumentException unusable) {
            String mistake = String.valueOf(unusable.getMessage());
            if (!mistake.equals(lastMistake)) {
                lastMistake = mistake;
                LOG.warn("The changed configuration can not be used, the former stays in force: {}", mistake);
            }
        }
    }
}
