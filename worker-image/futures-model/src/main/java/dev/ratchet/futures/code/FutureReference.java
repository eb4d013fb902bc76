/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.code;

import dev.ratchet.client.FutureId;
import java.io.Serializable;

/**
 * Stands for a future inside serialised code and arguments; the worker puts the realized future in its place.
 *
 * @param id the future, one of the upstreams of the task
 */
record FutureReference(FutureId id) implements Serializable {}
