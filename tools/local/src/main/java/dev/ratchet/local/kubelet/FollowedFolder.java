/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Owns a folder whose files change all at once: {@code ..data} is a link to the folder with the present files and each
 * name is a link through it, as a real kubelet does it. Invariant: a reader that opens the files through {@code ..data}
 * at one moment sees the files of one version.
 */
final class FollowedFolder {

    private final Path folder;
    private final Set<PosixFilePermission> folderMode;
    private final Set<PosixFilePermission> fileMode;
    private Map<String, byte[]> present = Map.of();
    private int version;

    /** @param secret whether only the owner may read the files */
    FollowedFolder(Path folder, boolean secret) {
        this.folder = folder;
        this.folderMode = PosixFilePermissions.fromString(secret ? "rwx------" : "rwxr-xr-x");
        this.fileMode = PosixFilePermissions.fromString(secret ? "rw-------" : "rw-r--r--");
    }

    /** Makes the folder hold exactly these files; does nothing when it does already. Names are relative paths. */
    void write(Map<String, byte[]> files) throws IOException {
        if (version > 0 && isPresent(files)) {
            return;
        }
        if (version == 0) {
            // The pod may have run before on a node that was lost.
            Trees.delete(folder);
        }
        version++;
        Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder, folderMode);
        Path next = Files.createDirectory(
                folder.resolve("..v" + version), PosixFilePermissions.asFileAttribute(folderMode));
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path target = next.resolve(file.getKey()).normalize();
            if (!target.startsWith(next)) {
                throw new IOException("a file of a volume would lie outside of it: " + file.getKey());
            }
            Files.createDirectories(target.getParent());
            Files.createFile(target, PosixFilePermissions.asFileAttribute(fileMode));
            Files.write(target, file.getValue());
        }
        Path link = folder.resolve("..data_next");
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, next.getFileName());
        Files.move(link, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        linkNames(files);
        present = new TreeMap<>(files);
        if (version > 1) {
            Trees.delete(folder.resolve("..v" + (version - 1)));
        }
    }

    private void linkNames(Map<String, byte[]> files) throws IOException {
        for (String name : files.keySet()) {
            String first = Path.of(name).getName(0).toString();
            if (!Files.isSymbolicLink(folder.resolve(first))) {
                Files.createSymbolicLink(folder.resolve(first), Path.of("..data", first));
            }
        }
        try (Stream<Path> links = Files.list(folder)) {
            for (Path link : links.toList()) {
                if (!link.getFileName().toString().startsWith("..") && !Files.exists(link)) {
                    Files.delete(link);
                }
            }
        }
    }

    private boolean isPresent(Map<String, byte[]> files) {
        return files.keySet().equals(present.keySet())
                && files.entrySet().stream()
                        .allMatch(file -> Arrays.equals(file.getValue(), present.get(file.getKey())));
    }
}
