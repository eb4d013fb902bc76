/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.check.ClusterCheck;
import dev.ratchet.futures.collect.CodeCollector;
import dev.ratchet.futures.collect.Deletion;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.ArgumentUploads;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.UnusedNotes;
import dev.ratchet.futures.recover.Reconstruction;
import dev.ratchet.futures.settle.AntiAffinity;
import dev.ratchet.futures.settle.Cancellation;
import dev.ratchet.futures.settle.Dependents;
import dev.ratchet.futures.settle.Recorder;
import dev.ratchet.futures.submit.Submission;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.ToldLiveness;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.ArtifactRecord;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Code and arguments go when nobody can need them any more, and not before. */
class CodeCollectionTest {

    private static final ByteString CODE = ByteString.copyFromUtf8("sixteen bytes...");

    private final SystemEnvironment real = new SystemEnvironment();
    private final ShiftedEnvironment environment = new ShiftedEnvironment(real);
    private final Keyspace keyspace = new Keyspace("test/code");
    private final FutureKeys keys = new FutureKeys(keyspace);
    private final Members members = new StoredMembers(keyspace);
    private final FutureStore store = new FutureStore(StoreUnderTest.open(real), keys, environment);
    private final CodeCollector collector = new CodeCollector(store);

    @AfterEach
    void close() {
        assertThat(new ClusterCheck(store, members).run().join().violations()).isEmpty();
        real.close();
    }

    @Test
    void aFunctionGoesAnHourAfterItsLastFuture() {
        FutureId first = FutureId.random();
        FutureId second = FutureId.random();
        submit(first, second);
        piece(CODE.toByteArray());

        delete(first);
        pass();
        assertThat(collector.sweep().join()).isEqualTo(1);
        assertThat(hasCode()).as("another future names it").isTrue();

        delete(second);
        assertThat(collector.sweep().join()).isZero();
        assertThat(hasCode()).as("within the hour").isTrue();
        pass();
        collector.sweep().join();
        assertThat(hasCode()).isFalse();
        assertThat(left()).as("what is left of it").isZero();
    }

    @Test
    void aFunctionThatIsUsedAgainStays() {
        FutureId first = FutureId.random();
        submit(first);
        delete(first);
        pass();
        submit(FutureId.random());

        collector.sweep().join();

        assertThat(hasCode()).isTrue();
    }

    @Test
    void codeThatCameWithARefusedFutureGoes() {
        Submission submission = submission();
        assertThat(submission
                        .submit(
                                request()
                                        .addFutures(
                                                future(FutureId.random()).addUpstreams(Ids.bytes(FutureId.random())))
                                        .build(),
                                Optional.empty())
                        .join()
                        .refusals())
                .hasSize(1);
        assertThat(hasCode()).isTrue();
        pass();
        collector.sweep().join();
        assertThat(hasCode()).isFalse();
    }

    @Test
    void aJarGoesWithTheLastFunctionThatNamesIt() {
        ByteString other = ByteString.copyFromUtf8("another function");
        jar(CODE.toByteArray());
        FutureId first = FutureId.random();
        FutureId second = FutureId.random();
        FunctionRecord named = FunctionRecord.newBuilder().addArtifacts(CODE).build();
        for (FutureId id : List.of(first, second)) {
            ByteString digest = id.equals(first) ? CODE : other;
            submission()
                    .submit(
                            SubmitRequest.newBuilder()
                                    .addFunctions(SubmittedFunction.newBuilder()
                                            .setDigest(digest)
                                            .setCode(named))
                                    .addFutures(future(id).setFunction(digest))
                                    .build(),
                            Optional.empty())
                    .join();
        }

        delete(first);
        passAndSweep();
        assertThat(hasCode()).isFalse();
        passAndSweep();
        assertThat(rows(keys.artifacts.range())).as("another function names it").isEqualTo(1);

        delete(second);
        passAndSweep();
        assertThat(rows(keys.artifacts.range())).as("within the hour").isEqualTo(1);
        passAndSweep();
        assertThat(rows(keys.artifacts.range()) + rows(keys.artifactContent.range()) + left())
                .isZero();
    }

    @Test
    void aJarThatWasAskedForStaysForAnotherHour() {
        jar(CODE.toByteArray());
        ask();
        pass();
        ask();

        collector.sweep().join();
        assertThat(rows(keys.artifacts.range())).isEqualTo(1);

        passAndSweep();
        assertThat(rows(keys.artifacts.range())).isZero();
    }

    @Test
    void anArgumentGoesUnlessItsFutureHasCome() {
        FutureId came = FutureId.random();
        FutureId never = FutureId.random();
        for (FutureId id : List.of(came, never)) {
            run(transaction -> {
                transaction.set(keys.arguments.key(id.value(), 0), new byte[10]);
                transaction.set(keys.arguments.key(id.value(), new byte[ArgumentUploads.ID_BYTES], 0), new byte[10]);
                UnusedNotes.write(transaction, keys, UnusedNotes.ARGUMENT, id.value());
            });
        }
        submission()
                .submit(
                        request()
                                .addFutures(future(came).setArgumentChunks(1).setArgumentBytes(10))
                                .build(),
                        Optional.empty())
                .join();
        pass();

        collector.sweep().join();

        assertThat(rows(keys.arguments.range())).isEqualTo(1);
        assertThat(rows(keys.unused.range())).isZero();
    }

    @Test
    void aWrongWallClockMakesNothingGo() {
        jar(CODE.toByteArray());
        for (long ahead : new long[] {0, 2 * CodeCollector.GRACE_MILLIS, -2 * CodeCollector.GRACE_MILLIS, 0}) {
            environment.setWallClockAhead(ahead);
            ask();
            collector.sweep().join();
            environment.setWallClockAhead(ahead + 2 * CodeCollector.GRACE_MILLIS);
            collector.sweep().join();
            collector.sweep().join();
            assertThat(rows(keys.artifacts.range())).isEqualTo(1);
        }
        passAndSweep();
        assertThat(rows(keys.artifacts.range())).isZero();
    }

    @Test
    void aJarThatACircuitNamesStaysUntilAnHourAfterItDoesNot() {
        Set<ByteString> named = new HashSet<>(Set.of(CODE));
        collector.keepAlso(transaction -> CompletableFuture.completedFuture(Set.copyOf(named)));
        jar(CODE.toByteArray());
        ask();
        for (int hour = 0; hour < 3; hour++) {
            passAndSweep();
            assertThat(rows(keys.artifacts.range())).isEqualTo(1);
        }
        named.clear();
        ask();
        passAndSweep();
        assertThat(rows(keys.artifacts.range())).isZero();
    }

    @Test
    void whoLooksAgainAfterLongDoesNotCountForWhatAnotherOneHasJustSeen() {
        jar(CODE.toByteArray());
        ask();
        collector.sweep().join();
        environment.pass(2 * CodeCollector.GRACE_MILLIS);
        ask();

        new CodeCollector(store).sweep().join();
        collector.sweep().join();

        assertThat(rows(keys.artifacts.range())).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void howeverManyCollectNothingGoesEarlierAndAllGoesIfOneGoesOn(long seed) {
        Random random = new Random(seed);
        List<CodeCollector> collectors = List.of(collector, new CodeCollector(store), new CodeCollector(store));
        jar(CODE.toByteArray());
        ask();
        long passed = 0;
        while (passed < CodeCollector.GRACE_MILLIS) {
            collectors.get(random.nextInt(collectors.size())).sweep().join();
            assertThat(rows(keys.artifacts.range()))
                    .as("seed " + seed + " millis " + passed)
                    .isEqualTo(1);
            long some = random.nextLong(CodeCollector.GRACE_MILLIS / 5);
            environment.pass(some);
            passed += some;
        }

        collector.sweep().join();
        passAndSweep();
        assertThat(rows(keys.artifacts.range())).as("seed " + seed).isZero();
    }

    private void passAndSweep() {
        pass();
        collector.sweep().join();
    }

    /** As a client does before it names a jar. */
    private void ask() {
        run(transaction -> UnusedNotes.write(transaction, keys, UnusedNotes.ARTIFACT, CODE.toByteArray()));
    }

    private void jar(byte[] digest) {
        run(transaction -> {
            transaction.set(
                    keys.artifacts.key((Object) digest),
                    keys.artifacts.encode(
                            ArtifactRecord.newBuilder().setChunks(1).build()));
            transaction.set(keys.artifactContent.key(digest, 0), new byte[3]);
        });
    }

    /** An hour, from when somebody has looked. */
    private void pass() {
        collector.sweep().join();
        environment.pass(CodeCollector.GRACE_MILLIS + 1);
    }

    private static SubmitRequest.Builder request() {
        return SubmitRequest.newBuilder()
                .addFunctions(SubmittedFunction.newBuilder().setDigest(CODE).setCode(FunctionRecord.newBuilder()));
    }

    private static SubmittedFuture.Builder future(FutureId id) {
        return SubmittedFuture.newBuilder().setId(Ids.bytes(id)).setJob("code").setFunction(CODE);
    }

    private void submit(FutureId... ids) {
        SubmitRequest.Builder request = request();
        List.of(ids).forEach(id -> request.addFutures(future(id)));
        submission().submit(request.build(), Optional.empty()).join();
    }

    private Submission submission() {
        return new Submission(
                store, recorder(), dependents(), new Reconstruction(store, recorder(), dependents()), members);
    }

    private Recorder recorder() {
        return new Recorder(keys, environment, "w-0", new AntiAffinity(ToldLiveness.allDead(), environment.random()));
    }

    private Dependents dependents() {
        return new Dependents(keys, environment.random());
    }

    private void delete(FutureId id) {
        Cancellation cancellation = new Cancellation(store, recorder(), dependents());
        new Deletion(store, cancellation::cancel).delete(List.of(id)).join();
    }

    private void piece(byte[] digest) {
        run(transaction -> transaction.set(keys.functionContent.key(digest, 0), new byte[3]));
    }

    private boolean hasCode() {
        return store.read(transaction -> transaction.get(keys.functions.key((Object) CODE.toByteArray())))
                        .join()
                != null;
    }

    private int left() {
        return rows(keys.functions.range())
                + rows(keys.functionContent.range())
                + rows(keys.functionUses.range())
                + rows(keys.unused.range());
    }

    private int rows(com.apple.foundationdb.Range range) {
        return store.read(transaction -> transaction.getRange(range).asList())
                .join()
                .size();
    }

    private void run(java.util.function.Consumer<com.apple.foundationdb.Transaction> change) {
        store.runPlain(transaction -> {
                    change.accept(transaction);
                    return CompletableFuture.<Void>completedFuture(null);
                })
                .join();
    }
}
