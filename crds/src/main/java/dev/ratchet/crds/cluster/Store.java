/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import static dev.ratchet.crds.schema.ChangeImpact.IMMUTABLE;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.OnChange;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Which store a cluster uses: exactly the member that {@link #type} names is set. */
@ValidationRule(
        value = "(self.type == 'FoundationDB') == has(self.foundationDB)",
        message = "the member foundationDB is set if and only if the type of the store is FoundationDB")
@ValidationRule(
        value = "(self.type == 'Embedded') == has(self.embedded)",
        message = "the member embedded is set if and only if the type of the store is Embedded")
public final class Store extends Part {
    @JsonPropertyDescription(
            "Embedded runs one store pod beside the workers; FoundationDB uses a cluster of FoundationDB that exists.")
    @OnChange(IMMUTABLE)
    @Required
    public StoreType type = StoreType.EMBEDDED;

    @JsonPropertyDescription("Settings of a FoundationDB store; set if and only if type is FoundationDB.")
    public @Nullable FoundationDbStore foundationDB;

    @JsonPropertyDescription("Settings of an embedded store; set if and only if type is Embedded.")
    public @Nullable EmbeddedStoreSpec embedded;
}
