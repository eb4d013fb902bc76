/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What a version says of itself besides its tables.
 *
 * @param step the first step that is not in it
 * @param fingerprint of the program whose operators wrote it; empty as long as there is none
 * @param layout the layout in force, as bytes that only its owner reads; empty where there is none
 * @param attributes what else belongs to the version, such as how far an output was written; in the order of names
 */
public record StateRecord(long step, String fingerprint, byte[] layout, Map<String, String> attributes) {

    /** That of version 0. */
    public static final StateRecord EMPTY = new StateRecord(0, "", new byte[0], Map.of());

    public StateRecord {
        layout = layout.clone();
        attributes = Map.copyOf(attributes);
    }

    @Override
    public byte[] layout() {
        return layout.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StateRecord that
                && step == that.step
                && fingerprint.equals(that.fingerprint)
                && Arrays.equals(layout, that.layout)
                && attributes.equals(that.attributes);
    }

    @Override
    public int hashCode() {
        return Objects.hash(step, fingerprint, Arrays.hashCode(layout), attributes);
    }

    @Override
    public String toString() {
        return "step " + step + " of " + fingerprint + ", " + layout.length + " bytes of layout, "
                + new TreeMap<>(attributes);
    }
}
