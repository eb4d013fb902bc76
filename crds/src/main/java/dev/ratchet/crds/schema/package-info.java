/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What the classes of the resources are made of: parts with strict fields, their patterns, what a change costs. */
@NullMarked
package dev.ratchet.crds.schema;

import org.jspecify.annotations.NullMarked;
