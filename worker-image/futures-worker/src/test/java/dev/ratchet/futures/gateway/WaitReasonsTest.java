/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.ReadTransaction;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.membership.HealthyMember;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.Requirements;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who holds what a future requires is told, by the future and by the task that waits for it. */
class WaitReasonsTest {

    private static final SchedulingSpec GPU = SchedulingSpec.newBuilder()
            .setRequirements(Requirements.newBuilder().setCpuMillis(1_000).setGpuMillis(1_000))
            .build();

    private final SystemEnvironment environment = new SystemEnvironment();
    private final FutureKeys keys = new FutureKeys(new Keyspace("test/reasons"));
    private final Database database = new EmbeddedDatabaseSupplier(environment).get();
    private final WaitReasons reasons = new WaitReasons(keys, new OneWorker());
    private final FutureId holder = FutureId.random();
    private final FutureId waiting = FutureId.random();

    @AfterEach
    void close() {
        environment.close();
    }

    private void write(FutureRecord.Builder running, FutureRecord.Builder queued) {
        database.run(transaction -> {
            transaction.set(
                    keys.records.key(holder.value()),
                    keys.records.encode(running.setState(State.STATE_CLAIMED)
                            .setSchedulingSpec(GPU)
                            .setClaim(ClaimToken.newBuilder().setSeat("w-1").setIncarnation(1))
                            .build()));
            transaction.set(keys.claims.key("w-1", 1L, holder.value()), FutureKeys.PRESENT);
            transaction.set(
                    keys.records.key(waiting.value()),
                    keys.records.encode(queued.setState(State.STATE_QUEUED)
                            .setSchedulingSpec(GPU)
                            .build()));
            return transaction;
        });
    }

    private String reason(FutureId id) {
        return database.read(transaction -> keys.record(transaction, id)
                .thenCompose(record -> reasons.of(transaction, id, record.orElseThrow()))
                .join());
    }

    @Test
    void aFutureTellsWhoHoldsWhatItRequires() {
        write(FutureRecord.newBuilder(), FutureRecord.newBuilder());

        assertThat(reason(waiting))
                .endsWith("What it requires is held: " + holder + " holds cpuMillis=1000 gpuMillis=1000 on w-1");
        assertThat(reason(holder)).isEmpty();
    }

    @Test
    void aTaskTellsWhichOfItsChildrenCanNotStartBesideIt() {
        database.run(transaction -> {
            transaction.set(keys.children.key(holder.value(), waiting.value()), FutureKeys.PRESENT);
            return transaction;
        });
        write(
                FutureRecord.newBuilder().setChildren(1),
                FutureRecord.newBuilder().setParent(Ids.bytes(holder)));

        String held = holder + " holds gpuMillis=1000 on w-1. If they wait for it, none of them ever ends.";
        assertThat(reason(waiting)).contains(held);
        assertThat(reason(holder))
                .startsWith("nothing, unless for its child " + waiting + ".")
                .contains(held);
    }

    private static final class OneWorker implements Members {
        private static final Member WORKER =
                HealthyMember.withLabels("w-1", new Capacity(4_000, 0, 1_000, Map.of()).labels());

        @Override
        public CompletableFuture<List<Member>> all(ReadTransaction transaction) {
            return CompletableFuture.completedFuture(List.of(WORKER));
        }

        @Override
        public CompletableFuture<Optional<Member>> one(ReadTransaction transaction, String seat) {
            return CompletableFuture.completedFuture(Optional.of(WORKER));
        }
    }
}
