/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

import dev.ratchet.circuits.batch.CorruptBatchException;
import dev.ratchet.circuits.state.CorruptStateException;
import dev.ratchet.circuits.state.FileStateDatabase;
import dev.ratchet.circuits.state.OpenState;
import dev.ratchet.dataflow.StateDisk;
import dev.ratchet.protocol.dataflow.v1.StoredVersion;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of a circuit on the disk of this process, in a directory for each of its lives; those of other lives are
 * deleted. One thread at a time.
 */
final class LocalState implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LocalState.class);

    private final String directory;
    private final FileStateDatabase database;

    /**
     * Opens it.
     *
     * @param disk where the lives of circuits are
     * @param level of recorded formats
     */
    LocalState(StateDisk disk, String circuit, long life, IntSupplier level) {
        this.directory = circuit.replaceAll("[^A-Za-z0-9_-]", "_") + "-" + life;
        disk.keepOnly(directory);
        this.database = FileStateDatabase.on(disk.open(directory), level);
    }

    /** How many versions are kept from now on. */
    void retain(int versions) {
        database.retain(versions);
    }

    /** The versions that can be opened, and the step behind which each is. */
    List<StoredVersion> versions() {
        List<StoredVersion> usable = new ArrayList<>();
        long last = database.versions().last();
        for (long version = database.versions().first(); version <= last; version++) {
            try {
                long next = database.verify(version).step();
                usable.add(StoredVersion.newBuilder()
                        .setVersion(version)
                        .setStep(Math.max(0, next - 1))
                        .build());
            } catch (CorruptStateException | CorruptBatchException | UncheckedIOException e) {
                LOG.error("Version {} of the state in {} can not be opened", version, directory, e);
            }
        }
        return usable;
    }

    OpenState open(long version) {
        return database.open(version);
    }

    @Override
    public void close() {
        database.close();
    }
}
