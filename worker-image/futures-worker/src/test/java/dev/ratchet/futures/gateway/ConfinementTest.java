/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.client.v1.BindRequest;
import dev.ratchet.protocol.client.v1.ListRequest;
import dev.ratchet.protocol.client.v1.LogsRequest;
import dev.ratchet.protocol.client.v1.PutChunk;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedBlock;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import dev.ratchet.protocol.security.CallerIdentity;
import dev.ratchet.protocol.sessions.v1.CloseSessionRequest;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import dev.ratchet.store.keyspace.Keyspace;
import io.grpc.Context;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the client billing, which belongs to the tenant billing, can do to others. */
class ConfinementTest {

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Keyspace keyspace = new Keyspace("test/confinement");
    private final FutureKeys keys = new FutureKeys(keyspace);
    private final FutureStore store =
            new FutureStore(new EmbeddedDatabaseSupplier(environment).get(), keys, environment);
    private final Confinement confinement = new Confinement(new Queries(store, new StoredMembers(keyspace)));

    @AfterEach
    void close() {
        environment.close();
    }

    private static <T> T asBilling(Callable<T> call) throws Exception {
        return Context.current().withValue(CallerIdentity.TENANT, "billing").call(call);
    }

    private static void refused(String reason, Callable<?> call) {
        ThrowingCallable asked = () -> asBilling(call);
        assertThatThrownBy(asked).satisfies(failure -> {
            Status status = Status.fromThrowable(failure);
            assertThat(status.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
            assertThat(status.getDescription()).contains(reason);
        });
    }

    private static SubmitRequest submit(SubmittedFuture.Builder future) {
        return SubmitRequest.newBuilder().addFutures(future).build();
    }

    private static SubmittedFuture.Builder future(FutureId id, String tenant) {
        return SubmittedFuture.newBuilder()
                .setId(Ids.bytes(id))
                .setSchedulingSpec(SchedulingSpec.newBuilder().setTenant(tenant));
    }

    @Test
    void aSessionIsClosedByWhoShowsItsOwnersSecret() throws Exception {
        CloseSessionRequest strange = CloseSessionRequest.getDefaultInstance();
        CloseSessionRequest own = CloseSessionRequest.newBuilder()
                .setOwnerSecret(ByteString.copyFromUtf8("secret"))
                .build();

        refused("closed by its owner's reference", () -> Confinement.bound(strange));

        assertThat(asBilling(() -> Confinement.bound(own))).isEqualTo(own);
        assertThat(Confinement.bound(strange)).isEqualTo(strange);
    }

    @Test
    void whatAClientSubmitsBelongsToItsTenant() throws Exception {
        SubmitRequest request = submit(future(FutureId.random(), "")).toBuilder()
                .addBlocks(SubmittedBlock.newBuilder().setCommon(future(FutureId.random(), "")))
                .build();

        SubmitRequest bound = asBilling(() -> Confinement.bound(request));

        assertThat(bound.getMayNameKnown()).as("ids are looked up").isTrue();
        assertThat(bound.getFutures(0).getSchedulingSpec().getTenant()).isEqualTo("billing");
        assertThat(bound.getBlocks(0).getCommon().getSchedulingSpec().getTenant())
                .isEqualTo("billing");
        assertThat(Confinement.bound(request)).as("others are not confined").isSameAs(request);
        assertThat(asBilling(() -> Confinement.bound(ListRequest.getDefaultInstance()))
                        .getTenant())
                .isEqualTo("billing");
        assertThat(asBilling(() -> Confinement.bound(
                                BindRequest.newBuilder().setName("x").build()))
                        .getTenant())
                .isEqualTo("billing");
        PutChunk put = PutChunk.newBuilder().setId(Ids.bytes(FutureId.random())).build();
        assertThat(asBilling(() -> Confinement.bound(put)).getSchedulingSpec().getTenant())
                .isEqualTo("billing");
    }

    @Test
    void itMayNotActForAnother() {
        String reason = "may not act for the tenant orders";
        refused(reason, () -> Confinement.bound(submit(future(FutureId.random(), "orders"))));
        refused(
                reason,
                () -> Confinement.bound(
                        BindRequest.newBuilder().setTenant("orders").build()));
        refused(
                reason,
                () -> Confinement.bound(
                        ListRequest.newBuilder().setTenant("orders").build()));
    }

    @Test
    void idsOfKeysAreThoseOfItsTenant() throws Exception {
        SubmittedFuture.Builder own =
                future(FutureId.ofKey("billing", "report"), "billing").setKey("report");
        assertThat(asBilling(() -> Confinement.bound(submit(own))).getFutures(0).getId())
                .isEqualTo(own.getId());
        String reason = "does not follow from a key of the tenant billing";
        refused(reason, () -> Confinement.bound(submit(future(FutureId.ofKey("orders", "report"), ""))));
        refused(
                reason,
                () -> Confinement.bound(
                        submit(future(FutureId.ofKey("orders", "report"), "").setKey("report"))));
    }

    @Test
    void actorsAreThoseOfItsTenant() throws Exception {
        SubmittedFuture.Builder call = future(FutureId.random(), "").setActorKey("actor till");
        FutureId own = FutureId.ofKey("billing", "actor till");
        assertThat(asBilling(() -> Confinement.bound(submit(call.clone().setActor(Ids.bytes(own)))))
                        .getFuturesCount())
                .isOne();
        FutureId other = FutureId.ofKey("orders", "actor till");
        refused(
                "The actor is not one of",
                () -> Confinement.bound(submit(call.clone().setActor(Ids.bytes(other)))));
    }

    @Test
    void itChangesAndReadsTheLinesOfNoFutureOfAnother() throws Exception {
        FutureId mine = FutureId.random();
        FutureId other = FutureId.random();
        write(mine, "billing");
        write(other, "orders");

        asBilling(() -> confinement.requireOwn(List.of(mine, FutureId.random())))
                .get(30, TimeUnit.SECONDS);
        CompletableFuture<Void> refused = asBilling(() -> confinement.requireOwn(List.of(mine, other)));

        assertThatThrownBy(() -> refused.get(30, TimeUnit.SECONDS))
                .hasMessageContaining("belongs to another tenant than billing");
        refused(
                "of all tenants",
                () -> confinement.requireOwnLines(
                        LogsRequest.newBuilder().setSeat("orders-w-0").build()));
        confinement.requireOwn(List.of(other)).get(30, TimeUnit.SECONDS);
    }

    @Test
    void itReadsTheLinesOfNoFutureBesideItsOwn() throws Exception {
        FutureId mine = FutureId.random();
        FutureId other = FutureId.random();
        write(mine, "billing");
        write(other, "orders");
        LogsRequest own = LogsRequest.newBuilder()
                .setSeat("orders-w-0")
                .setFuture(Ids.bytes(mine))
                .build();

        asBilling(() -> confinement.requireOwnLines(own)).get(30, TimeUnit.SECONDS);
        LogsRequest withOther = own.toBuilder().addFutures(Ids.bytes(other)).build();
        CompletableFuture<Void> ofOther = asBilling(() -> confinement.requireOwnLines(withOther));
        assertThatThrownBy(() -> ofOther.get(30, TimeUnit.SECONDS)).hasMessageContaining("belongs to another tenant");
        LogsRequest unknown =
                own.toBuilder().setFuture(Ids.bytes(FutureId.random())).build();
        CompletableFuture<Void> ofUnknown = asBilling(() -> confinement.requireOwnLines(unknown));
        assertThatThrownBy(() -> ofUnknown.get(30, TimeUnit.SECONDS)).hasMessageContaining("NOT_FOUND");
        LogsRequest ofWorker = own.toBuilder().addFutures(ByteString.EMPTY).build();
        assertThatThrownBy(() -> asBilling(() -> confinement.requireOwnLines(ofWorker)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void write(FutureId id, String tenant) {
        FutureRecord record = FutureRecord.newBuilder()
                .setSchedulingSpec(SchedulingSpec.newBuilder().setTenant(tenant))
                .build();
        store.runPlain(transaction -> {
                    transaction.set(keys.records.key(id.value()), keys.records.encode(record));
                    return CompletableFuture.completedFuture(null);
                })
                .join();
    }
}
