/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The users' code of simulations, in the one package that class loaders of users' code share with the worker. */
@NullMarked
package dev.ratchet.client.simulated;

import org.jspecify.annotations.NullMarked;
