/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import dev.ratchet.circuits.state.DirectoryFiles;
import dev.ratchet.circuits.state.StateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * States below a directory of the file system.
 *
 * @param parent which is made if need be
 */
public record DirectoryStateDisk(Path parent) implements StateDisk {

    private static final Logger LOG = LoggerFactory.getLogger(DirectoryStateDisk.class);

    @Override
    public void keepOnly(String directory) {
        try {
            Files.createDirectories(parent);
            deleteOthers(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void deleteOthers(String kept) throws IOException {
        List<Path> others;
        try (Stream<Path> all = Files.list(parent)) {
            others = all.filter(path -> path.getFileName().toString().matches("[A-Za-z0-9_-]+-[0-9]+")
                            && !path.getFileName().toString().equals(kept)
                            && Files.isDirectory(path))
                    .toList();
        }
        for (Path other : others) {
            LOG.info("Deleting the state of a circuit's former life in {}", other);
            try (Stream<Path> files = Files.walk(other)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Override
    public StateFiles open(String directory) {
        return DirectoryFiles.in(parent.resolve(directory));
    }
}
