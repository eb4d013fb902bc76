/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The custom resources of the group {@code ratchet.dev}: Java model, the names and labels derived from them, and what a
 * change of each field costs. The YAML in {@code crds/yaml} is generated from these classes, and so is the table in
 * {@code docs/custom-resources.md}.
 *
 * <p>The parts of a resource are plain classes with public fields: the type of a field, its annotations and its initial
 * value <em>are</em> the schema, the limits and the default. Strings, lists and maps are never null and mean "absent"
 * when empty.
 */
@NullMarked
package dev.ratchet.crds;

import org.jspecify.annotations.NullMarked;
