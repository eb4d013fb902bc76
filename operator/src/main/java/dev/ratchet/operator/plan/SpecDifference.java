/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.schema.ChangeImpact;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.operator.model.FieldCosts;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Owns the comparison of two specs: each changed field with what changing it costs, which is declared at the field or
 * around it. What declares nothing anywhere, such as a member that appears as a whole, counts as immutable.
 *
 * @param path such as {@code spec.workers.threads}
 */
record SpecDifference(String path, ChangeImpact change) {
    static List<SpecDifference> between(Part older, Part newer) {
        List<SpecDifference> found = new ArrayList<>();
        compare("spec", older, newer, FieldCosts.of(older), found);
        return found;
    }

    private static void compare(String path, Part older, Part newer, ChangeImpact around, List<SpecDifference> found) {
        for (Field field : FieldCosts.fields(older)) {
            Object left = FieldCosts.value(field, older);
            Object right = FieldCosts.value(field, newer);
            if (!Objects.equals(left, right)) {
                differ(path + "." + field.getName(), left, right, FieldCosts.of(field, around), found);
            }
        }
    }

    private static void differ(
            String path,
            @Nullable Object older,
            @Nullable Object newer,
            ChangeImpact cost,
            List<SpecDifference> found) {
        if (older instanceof Part left && newer instanceof Part right) {
            compare(path, left, right, cost, found);
        } else {
            found.add(new SpecDifference(path, cost));
        }
    }
}
