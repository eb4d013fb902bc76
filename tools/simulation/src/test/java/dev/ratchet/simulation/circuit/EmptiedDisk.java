/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import dev.ratchet.circuits.state.StateFiles;
import dev.ratchet.dataflow.StateDisk;

/** A disk that each process finds empty, as if its machine had been replaced. One thread at a time. */
final class EmptiedDisk implements StateDisk {

    private final StateDisk real;
    private boolean isEmptied;

    EmptiedDisk(StateDisk real) {
        this.real = real;
    }

    @Override
    public void keepOnly(String directory) {
        real.keepOnly(isEmptied ? directory : "none");
        isEmptied = true;
    }

    @Override
    public StateFiles open(String directory) {
        return real.open(directory);
    }
}
