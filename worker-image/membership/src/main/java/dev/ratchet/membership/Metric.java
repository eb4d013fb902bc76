/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * One figure that a worker publishes; read at any time, on any thread.
 *
 * @param name as in Prometheus, without the prefix {@code ratchet_}; those that only grow end with {@code _total}
 * @param counter whether it only grows
 * @param tags further tags, of which no two figures of one name have the same
 */
public record Metric(String name, String help, boolean counter, Map<String, String> tags, DoubleSupplier value) {

    /** One that only grows. */
    public static Metric counter(String name, String help, DoubleSupplier value) {
        return new Metric(name, help, true, Map.of(), value);
    }

    /** One that goes up and down. */
    public static Metric gauge(String name, String help, DoubleSupplier value) {
        return new Metric(name, help, false, Map.of(), value);
    }

    /** The same, for one value of a tag. */
    public Metric tagged(String tag, String tagValue) {
        return new Metric(name, help, counter, Map.of(tag, tagValue), value);
    }
}
