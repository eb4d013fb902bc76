/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/**
 * Hears the steps of a view: whole, in their order, each once, one call at a time. A call may take its time: what comes
 * meanwhile waits at the workers. One that throws ends the subscription, and its step does not count as heard.
 */
@FunctionalInterface
public interface ViewStepListener {

    void hear(ViewStep step);
}
