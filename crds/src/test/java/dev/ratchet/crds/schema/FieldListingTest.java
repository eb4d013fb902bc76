/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.Names;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FieldListingTest {

    @Test
    void noFieldGoesOrChangesItsTypeUnderTheSameNumberOfTheSchema() throws IOException {
        FieldListing recorded = FieldListing.recorded();
        FieldListing model = FieldListing.ofModel();
        if (recorded.schema() == Names.SCHEMA) {
            assertThat(recorded.without(model))
                    .as("fields that operators of schema %d rely on; raise Names.SCHEMA", Names.SCHEMA)
                    .isEmpty();
        }
        if (GeneratedFiles.writing()) {
            model.write();
        }
        assertThat(FieldListing.recorded())
                .as(
                        "%s differs from the model; an operator made before ignores a new field: raise Names.SCHEMA"
                                + " where it must not, then write it by:"
                                + " ./mvnw -pl crds test -Dratchet.crds.write=true",
                        FieldListing.FILE)
                .isEqualTo(model);
    }

    @Test
    void aFieldOfAnotherTypeIsMissingFromTheOtherListing() {
        FieldListing before = new FieldListing(1, List.of("A.b integer", "A.c string"));
        FieldListing after = new FieldListing(1, List.of("A.b string", "A.c string", "A.d string"));
        assertThat(before.without(after)).containsExactly("A.b integer");
    }
}
