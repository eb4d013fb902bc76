/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.store.ordered.PageStore.Position;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Pages gather before they are written; nobody who reads them can tell. */
class PageFilesTest {

    private final CrashingDisk disk = new CrashingDisk(1);
    private final Random random = new Random(2);
    private final Map<Position, byte[]> written = new LinkedHashMap<>();

    private PageFiles files() {
        return new PageFiles(disk, StoreState.first(), 1 << 20);
    }

    private void append(PageFiles files, int lengthMax) throws IOException {
        byte[] page = new byte[1 + random.nextInt(lengthMax)];
        random.nextBytes(page);
        Position position = files.append(ByteBuffer.wrap(page));
        assertThat(written.put(position, page)).isNull();
    }

    private void check(PageFiles files) throws IOException {
        for (Map.Entry<Position, byte[]> entry : written.entrySet()) {
            ByteBuffer page = ByteBuffer.allocate(entry.getValue().length);
            files.read(entry.getKey().file(), entry.getKey().offset(), page);
            assertThat(page.array()).isEqualTo(entry.getValue());
        }
    }

    @Test
    void pagesAreReadBeforeAndAfterTheyAreWrittenAndFoundAgain() throws IOException {
        PageFiles files = files();
        for (int i = 0; i < 400; i++) {
            append(files, i % 50 == 0 ? 600_000 : 6_000);
            if (i % 100 == 0) {
                check(files);
            }
        }
        check(files);
        files.sync();
        PageFiles again = files();
        for (Map.Entry<Long, Long> file : files.sizes().entrySet()) {
            again.open(file.getKey(), file.getValue());
        }
        append(again, 100);
        check(again);
        assertThat(files.sizes()).as("files of up to a megabyte").hasSizeGreaterThan(2);
    }

    @Test
    void pagesThatAFullDiskDoesNotTakeStayReadableAndAreWrittenWhenThereIsRoom() throws IOException {
        PageFiles files = files();
        append(files, 1000);
        files.sync();
        append(files, 1000);
        disk.failFrom(disk.writes() + 1);
        assertThatThrownBy(files::sync).hasMessageContaining("No space left on device");
        append(files, 1000);
        check(files);
        disk.failFrom(Integer.MAX_VALUE);
        files.sync();
        check(files);
        assertThat(disk.content()).as("nothing twice, nothing by half").hasSize(sizeOfContent());
    }

    /** Name, blank, two digits for each byte, end of line. */
    private int sizeOfContent() {
        int bytes = written.values().stream().mapToInt(page -> page.length).sum();
        return StoreState.first().pagesName(1).length() + 1 + 2 * bytes + 1;
    }
}
