/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Owns what happens by itself: garbage collection by owner references, the end of namespaces and of custom resource
 * definitions.
 */
@NullMarked
package dev.ratchet.local.apiserver.controllers;

import org.jspecify.annotations.NullMarked;
