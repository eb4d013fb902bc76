/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Owns the Kubernetes API over HTTP: from a request's path to an operation on objects, and from its result to the form
 * that the client accepts.
 */
@NullMarked
package dev.ratchet.local.apiserver.rest;

import org.jspecify.annotations.NullMarked;
