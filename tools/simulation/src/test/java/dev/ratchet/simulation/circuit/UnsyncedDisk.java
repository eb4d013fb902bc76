/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import dev.ratchet.circuits.batch.BatchFile;
import dev.ratchet.circuits.state.StateFiles;
import dev.ratchet.dataflow.StateDisk;
import java.util.List;

/** A disk that says that bytes and names are stored, and stores none of them. */
record UnsyncedDisk(StateDisk real) implements StateDisk {

    @Override
    public void keepOnly(String directory) {
        real.keepOnly(directory);
    }

    @Override
    public StateFiles open(String directory) {
        return new Unsynced(real.open(directory));
    }

    private record Unsynced(StateFiles real) implements StateFiles {
        @Override
        public String place() {
            return real.place();
        }

        @Override
        public List<String> list() {
            return real.list();
        }

        @Override
        public Output create(String name) {
            return real.create(name);
        }

        @Override
        public BatchFile open(String name) {
            return real.open(name);
        }

        @Override
        public long length(String name) {
            return real.length(name);
        }

        @Override
        public void sync(String name) {
            // Lost with the machine.
        }

        @Override
        public void rename(String from, String to) {
            real.rename(from, to);
        }

        @Override
        public void delete(String name) {
            real.delete(name);
        }

        @Override
        public void syncNames() {
            // Lost with the machine.
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
