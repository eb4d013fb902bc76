/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Owns the words that all parts of the stand-in share: kinds, metadata, selectors, JSON paths, and errors in the form
 * of a Kubernetes Status.
 */
@NullMarked
package dev.ratchet.local.apiserver.model;

import org.jspecify.annotations.NullMarked;
