/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.nexmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.nexmark.NexmarkTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangeFileTest {

    @Test
    void readersSeeWhatWasWrittenAndPartsShareItByEvent(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("changes");
        ChangeFile.write(file, new NexmarkChanges(3, 10), 2_000);
        byte[] bytes = ChangeFile.read(file);
        NexmarkChanges expected = new NexmarkChanges(3, 10);
        NexmarkChangeReader whole = new NexmarkChangeReader(bytes);
        List<NexmarkChangeReader> parts =
                List.of(new NexmarkChangeReader(bytes, 0, 2), new NexmarkChangeReader(bytes, 1, 2));
        for (int i = 0; i < 2_000; i++) {
            NexmarkChanges.Change change = expected.next();
            NexmarkChangeReader part = parts.get((int) (change.event().number() % 2));
            for (NexmarkChangeReader reader : List.of(whole, part)) {
                assertThat(reader.next()).isTrue();
                assertThat(reader.table()).isEqualTo(change.event().table());
                assertThat(reader.weight()).isEqualTo(change.weight());
                assertThat(valuesOf(reader)).isEqualTo(change.event().values());
            }
        }
        assertThat(whole.next()).isFalse();
        assertThat(parts).noneMatch(NexmarkChangeReader::next);
    }

    private static List<Object> valuesOf(NexmarkChangeReader reader) {
        List<Object> values = new ArrayList<>();
        for (NexmarkTable.Column column : reader.table().columns()) {
            int place = values.size();
            values.add(column.kind() == NexmarkTable.Kind.TEXT ? reader.textAt(place) : reader.numberAt(place));
        }
        return values;
    }
}
