/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.schema;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.ComputeLayout;
import dev.ratchet.crds.ComputeWorker;
import io.fabric8.kubernetes.client.CustomResource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The files of the repository that are made from the model: the definitions, their copies in the chart, the reference.
 */
final class GeneratedFiles {
    static final List<Class<? extends CustomResource<?, ?>>> RESOURCES =
            List.of(ComputeCluster.class, ComputeWorker.class, ComputeLayout.class);

    /** Tests run in the folder of the module. */
    private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();

    private GeneratedFiles() {}

    static Map<Path, String> all() {
        Map<Path, String> files = new TreeMap<>();
        for (Class<? extends CustomResource<?, ?>> resource : RESOURCES) {
            String yaml = DefinitionGenerator.yaml(resource);
            String name = DefinitionGenerator.fileName(resource);
            files.put(REPOSITORY.resolve("crds/yaml").resolve(name), yaml);
            files.put(REPOSITORY.resolve("helm/ratchet/files/crds").resolve(name), yaml);
        }
        files.put(REPOSITORY.resolve("docs/custom-resources.md"), Reference.markdown());
        return files;
    }

    static boolean writing() {
        return Boolean.getBoolean("ratchet.crds.write");
    }

    static void write(Map<Path, String> files) throws java.io.IOException {
        for (Map.Entry<Path, String> file : files.entrySet()) {
            Files.createDirectories(file.getKey().getParent());
            Files.writeString(file.getKey(), file.getValue());
        }
    }
}
