/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What changing a field of a spec costs. The nearest annotation counts: a field without one takes that of the field or
 * class around it, and every field of a spec has one in the end. From here come the immutability rules of the schema,
 * the table in docs/custom-resources.md and what the operator does with a change.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.TYPE})
public @interface OnChange {
    ChangeImpact value();
}
