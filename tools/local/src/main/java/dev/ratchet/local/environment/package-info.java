/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * One environment on this machine: the supervisor process that is API server, kubelet and service network in one, the
 * operator beside it, and the commands that start and stop them. It owns a folder of state; nothing outlives
 * {@code down} but that folder's logs.
 */
@NullMarked
package dev.ratchet.local.environment;

import org.jspecify.annotations.NullMarked;
