/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import dev.ratchet.circuits.batch.BatchFile;
import org.jspecify.annotations.Nullable;

/** A batch file of the database, opened when it is first read. */
final class StateFile implements BatchFile {

    private final StateFiles files;
    private final long number;
    private @Nullable BatchFile opened;

    StateFile(StateFiles files, long number) {
        this.files = files;
        this.number = number;
    }

    long number() {
        return number;
    }

    @Override
    public String name() {
        return files.place() + "/" + Manifest.fileName(number);
    }

    @Override
    public void open() {
        opened();
    }

    @Override
    public void read(long position, byte[] into) {
        opened().read(position, into);
    }

    private synchronized BatchFile opened() {
        BatchFile file = opened;
        if (file == null) {
            file = files.open(Manifest.fileName(number));
            opened = file;
        }
        return file;
    }
}
