/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import dev.ratchet.futures.object.ObjectClient;
import dev.ratchet.futures.object.ObjectLocator;
import dev.ratchet.futures.object.ObjectStore;

/**
 * Objects as a worker reaches them.
 *
 * @param store its own
 * @param client those of other workers
 * @param locator finds who has which
 */
public record WorkerObjects(ObjectStore store, ObjectClient client, ObjectLocator locator) {}
