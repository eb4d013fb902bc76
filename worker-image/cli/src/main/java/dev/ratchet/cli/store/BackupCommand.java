/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.store;

import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.store.Access;
import dev.ratchet.store.ClusterConfiguration;
import dev.ratchet.store.DatabaseFactory;
import dev.ratchet.store.EmbeddedOptions;
import dev.ratchet.store.EmbeddedStore;
import dev.ratchet.store.StoreConfiguration;
import dev.ratchet.store.remote.RemoteBackup;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code ratchet store backup}: a copy of an embedded store, taken from the running server while work goes on, or from
 * the directory of one that is stopped. A file has its name only when it is whole and on the disk, and none is ever
 * overwritten.
 */
@Command(
        name = "backup",
        description = "Copies everything in an embedded store to a file, while the store goes on.",
        mixinStandardHelpOptions = true)
final class BackupCommand implements Callable<Integer> {

    private static final String STANDARD_OUTPUT = "-";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "take it from the directory of a store that is stopped, not from the running one")
    private @Nullable Path dataDirectory;

    @Parameters(
            paramLabel = "FILE|DIR|-",
            description =
                    "a file that does not exist; or a directory, for a file named by cluster and time; or standard"
                            + " output")
    private String target = "";

    @Override
    public Integer call() throws IOException {
        if (target.equals(STANDARD_OUTPUT)) {
            // The text goes elsewhere, out of the way of the copy.
            spec.commandLine()
                    .getErr()
                    .println("ratchet: " + write(Channels.newChannel(System.out), "standard output"));
            return 0;
        }
        Path file = file();
        if (Files.exists(file)) {
            throw new IllegalArgumentException(file + " exists; name a file that does not");
        }
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            String done;
            Files.deleteIfExists(part);
            try (FileChannel channel = FileChannel.open(
                    part, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerOnly(part))) {
                done = write(channel, file.toString());
                channel.force(true);
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            spec.commandLine().getOut().println(done);
            return 0;
        } catch (NoSuchFileException wrong) {
            throw new IllegalArgumentException(
                    file + " can not be written: there is no directory " + file.getParent(), wrong);
        } catch (FileAlreadyExistsException wrong) {
            throw new IllegalArgumentException(file + " exists; name a file that does not", wrong);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** A backup has every value and key of the cluster in it: nobody else on the machine may read it. */
    private static FileAttribute<?>[] ownerOnly(Path file) {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    private Path file() {
        Path path = Path.of(target);
        if (!Files.isDirectory(path)) {
            return path;
        }
        String of = "store";
        if (dataDirectory == null) {
            ClusterConfiguration configuration = cluster.configuration();
            of = configuration.namespace() + "-" + configuration.cluster();
        }
        return path.resolve(of + "-" + TIME.format(Instant.now()) + ".backup");
    }

    private String write(WritableByteChannel channel, String name) throws IOException {
        Path directory = dataDirectory;
        if (directory != null) {
            if (!DataDirectory.holdsStore(directory)) {
                throw new IllegalArgumentException(directory + " is no directory of a store: it has no file STATE");
            }
            try (SystemEnvironment environment = new SystemEnvironment();
                    EmbeddedStore store = EmbeddedStore.open(EmbeddedOptions.in(directory), environment)) {
                long version = store.backup(channel).join();
                return "Backed up " + directory + " at version " + version + ", generation " + store.generation()
                        + ", to " + name;
            }
        }
        ClusterConfiguration configuration = cluster.configuration();
        if (!(configuration.store() instanceof StoreConfiguration.Embedded embedded)) {
            throw new IllegalArgumentException("Cluster " + configuration.namespace() + "/" + configuration.cluster()
                    + " keeps its data in FoundationDB: back it up with fdbbackup");
        }
        Access access = cluster.access(configuration);
        RemoteBackup backup = DatabaseFactory.backup(cluster.nearest(embedded, access), access, channel);
        return "Backed up " + configuration.namespace() + "/" + configuration.cluster() + " at version "
                + backup.version() + ", generation " + backup.generation() + ", " + backup.bytes() + " bytes, to "
                + name;
    }
}
