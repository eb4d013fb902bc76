/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** The rows of the files of a folder, each file once. */
public final class FilesInput extends Part {
    @JsonPropertyDescription(
            "Folder in a volume that workers.podTemplate mounts into the container worker, the same one "
                    + "in all workers, such as /mnt/orders. Files whose names end in .csv or .ndjson are taken, in the"
                    + " order of their names; write a file under another name, and rename it when it is whole.")
    @Required
    @Size(max = 1024)
    @Pattern(Patterns.ABSOLUTE_PATH)
    public String folder = "";

    @JsonPropertyDescription("Time after which the folder is looked at again, in milliseconds.")
    @Min(100)
    @Max(3_600_000)
    public long periodMillis = 1000;
}
