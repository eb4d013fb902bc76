/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.ratchet.futures.session.SlotCapacity;
import dev.ratchet.store.ClusterConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OfferedSlotsTest {

    private static final String UNNAMED = SlotCapacity.DEFAULT_RESOURCE;

    @TempDir
    Path directory;

    @Test
    void aFileThatSaysNothingOffersAThousandUnnamedSessions() throws IOException {
        write("{}");
        assertThat(new OfferedSlots(directory, Set.of()).capacity().counts()).isEqualTo(Map.of(UNNAMED, 1_000));
    }

    @Test
    void aChangeIsFollowedAndOneThatCanNotBeReadIsNot() throws IOException {
        write("{\"slots\":{\"gpu\":1},\"sessions\":5}");
        OfferedSlots slots = new OfferedSlots(directory, Set.of());
        assertThat(slots.capacity().counts()).isEqualTo(Map.of("gpu", 1, UNNAMED, 5));
        for (String unusable : new String[] {"{\"slots\":", "{\"slots\":{\"gpu\":\"1\"}}", "{\"sessions\":-1}"}) {
            write(unusable);
            slots.look();
            assertThat(slots.capacity().counts()).as(unusable).isEqualTo(Map.of("gpu", 1, UNNAMED, 5));
        }
        write("{\"slots\":{\"gpu\":0},\"sessions\":0}");
        slots.look();
        assertThat(slots.capacity().counts()).isEqualTo(Map.of("gpu", 0, UNNAMED, 0));
    }

    @Test
    void aFileThatCanNotBeUsedAtTheStartIsRefused() throws IOException {
        write("{\"slots\":{\"gpu\":1.5}}");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OfferedSlots(directory, Set.of()))
                .withMessageContaining("slots.gpu must be a whole number, it is 1.5");
    }

    @Test
    void aFutureThatRequiresASlotsNameAndASessionNeverHoldItAtOnce() throws IOException {
        write("{\"slots\":{\"licence\":1}}");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OfferedSlots(directory, Set.of("licence")))
                .withMessageContaining("slots.licence is the name of a resource that tasks require");
    }

    @Test
    void slotsOfAHostAreToldApartFromThoseOfAWorker() throws IOException {
        write("{\"slots\":{\"gpu\":1},\"hostSlots\":{\"port\":2},\"sessions\":0}");
        assertThat(new OfferedSlots(directory, Set.of()).capacity().counts())
                .isEqualTo(Map.of("gpu", 1, "port", 2, UNNAMED, 0));
        write("{\"slots\":{\"gpu\":1},\"hostSlots\":{\"gpu\":2}}");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OfferedSlots(directory, Set.of()))
                .withMessageContaining("of a worker or of a host, not both");
    }

    private void write(String text) throws IOException {
        Files.writeString(directory.resolve(ClusterConfiguration.FILE), text);
    }
}
