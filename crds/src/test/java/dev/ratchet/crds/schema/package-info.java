/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Makes the CustomResourceDefinitions and the reference of fields from the model, and proves what both promise. */
@NullMarked
package dev.ratchet.crds.schema;

import org.jspecify.annotations.NullMarked;
