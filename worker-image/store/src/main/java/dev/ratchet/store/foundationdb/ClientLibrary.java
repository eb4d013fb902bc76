/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.foundationdb;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks at {@code libfdb_c.so} where the binding will look for it, before it does: of a file that can not be loaded the
 * binding only says later that some function is missing.
 */
final class ClientLibrary {

    private static final String NAME = "libfdb_c.so";
    private static final String PROPERTY = "FDB_LIBRARY_PATH_FDB_C";
    private static final byte[] MAGIC = {0x7f, 'E', 'L', 'F'};
    private static final int MACHINE_OFFSET = 18;
    private static final int HEADER_BYTES = 20;

    /** Numbers of machines in ELF files, and what Java calls the two that FoundationDB is made for. */
    private static final Map<Integer, String> MACHINES =
            Map.of(3, "i386", 40, "arm", 62, "amd64", 183, "aarch64", 243, "riscv64", 21, "ppc64", 22, "s390x");

    private ClientLibrary() {}

    /** @throws FoundationDbException if the library that this process would load can not be loaded */
    static void require() {
        find().ifPresent(library -> require(library, System.getProperty("os.arch")));
    }

    /** Where it is; empty where only the system's own list of libraries may know. */
    private static Optional<Path> find() {
        String named = System.getProperty(PROPERTY);
        if (named != null) {
            return Optional.of(Path.of(named));
        }
        return Arrays.stream(System.getProperty("java.library.path", "").split(":"))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, NAME))
                .filter(Files::exists)
                .findFirst();
    }

    /** @param architecture as Java calls it, such as amd64 */
    static void require(Path library, String architecture) {
        byte[] header;
        try (InputStream file = Files.newInputStream(library)) {
            header = file.readNBytes(HEADER_BYTES);
        } catch (IOException unreadable) {
            throw unusable("it can not be read: " + unreadable, unreadable);
        }
        if (header.length < HEADER_BYTES || !Arrays.equals(header, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            String begins = new String(header, StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", "?");
            throw unusable(library + " is not a shared library: it begins with '" + begins + "'", null);
        }
        boolean little = header[5] == 1;
        int machine = ByteBuffer.wrap(header)
                .order(little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN)
                .getShort(MACHINE_OFFSET);
        String made = MACHINES.getOrDefault(machine, "machine " + machine);
        if (!made.equals(architecture)) {
            throw unusable(library + " is made for " + made + ", and this process runs on " + architecture, null);
        }
    }

    /** What to do about a library that can not be used. */
    static FoundationDbException unusable(String why, @Nullable Throwable cause) {
        return new FoundationDbException(
                "FoundationDB's client library " + NAME + " can not be loaded (" + why
                        + "). Install the package foundationdb-clients " + FoundationDb.OLDEST_RELEASE
                        + " or later for this architecture from https://github.com/apple/foundationdb/releases, or put"
                        + " the library into a directory of LD_LIBRARY_PATH, or start Java with -D" + PROPERTY
                        + "=/path/" + NAME + ". In Kubernetes an init container puts it there: name an image that has"
                        + " it in spec.store.foundationDB.clientImage.",
                cause);
    }
}
