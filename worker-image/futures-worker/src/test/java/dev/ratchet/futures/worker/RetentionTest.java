/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.collect.RetentionSetting;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long futures stay whose submitters say nothing. */
class RetentionTest extends CollectionFixture {

    private static final long HOUR_MILLIS = 3_600_000;

    @Test
    void whatNobodyHoldsGoesADayAfterItsEnd() {
        FutureId alone = submit(List.of(), 0);
        List<FutureId> block = submitBlock(3, 0, ByteString.EMPTY);
        finish(false);

        environment.pass(23 * HOUR_MILLIS);
        collectAll();
        assertThat(record(alone)).isPresent();

        environment.pass(2 * HOUR_MILLIS);
        collectAll();
        assertThat(record(alone)).isEmpty();
        assertThat(block).allSatisfy(id -> assertThat(record(id)).isEmpty());
        assertThat(left()).isEmpty();
    }

    @Test
    void whatAProgramHasSubmittedStaysWhileItIsThere() {
        ByteString client = connect();
        FutureId id = submit(List.of(), 0, SubmittedFuture.newBuilder().setClient(client));
        submitBlock(3, 0, client);
        finish(false);
        environment.pass(100 * HOUR_MILLIS);
        collectAll();
        assertThat(record(id)).isPresent();

        end(client);
        collectAll();
        assertThat(left()).isEmpty();
    }

    @Test
    void theClusterSaysHowLongAndWhoWantsMoreKeepsIt() {
        new RetentionSetting(new FutureStore(database, keys, environment))
                .set(HOUR_MILLIS)
                .join();
        assertThat(new RetentionSetting(store).read().join()).isEqualTo(HOUR_MILLIS);
        FutureId id = submit(List.of(), 0);
        Duration kept = SubmitOptions.defaults().keep().retention().orElseThrow();
        FutureId keptId = submit(List.of(), kept.toMillis());
        finish(false);

        environment.pass(2 * HOUR_MILLIS);
        collectAll();
        assertThat(record(id)).isEmpty();
        environment.pass(24 * 365 * HOUR_MILLIS);
        collectAll();
        assertThat(record(keptId)).isPresent();
    }

    @Test
    void aRetentionShorterThanTheLeaseOfAProgramIsRefused() {
        RetentionSetting retention = new RetentionSetting(store);
        assertThatThrownBy(() -> retention.set(59_999))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The retention of futures is 60000 to 315360000000 ms, and not 59999.");
        assertThat(retention.read().join()).isEqualTo(FutureStore.RETENTION_MILLIS);
    }
}
