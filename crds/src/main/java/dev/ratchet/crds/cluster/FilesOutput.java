/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** Files with what steps change in a view, one whole file for each such step. */
public final class FilesOutput extends Part {
    @JsonPropertyDescription(
            "Folder in a volume that workers.podTemplate mounts into the container worker, the same one "
                    + "in all workers, such as /mnt/totals. Files get their names when they are whole, and each once; "
                    + "whoever reads them takes them away.")
    @Required
    @Size(max = 1024)
    @Pattern(Patterns.ABSOLUTE_PATH)
    public String folder = "";

    @JsonPropertyDescription(
            "Ndjson: lines as a reader over HTTP is told. Csv: the weight of a row is its first " + "column.")
    public FileFormat format = FileFormat.NDJSON;
}
