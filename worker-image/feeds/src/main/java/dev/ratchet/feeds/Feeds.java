/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.feeds;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.record.Counter;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.environment.Environment;
import dev.ratchet.feeds.FeedStore.Feed;
import dev.ratchet.futures.gateway.ViewFeeds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.submit.TransactionalFutures;
import dev.ratchet.protocol.client.v1.EndFeedReply;
import dev.ratchet.protocol.client.v1.FeedDescription;
import dev.ratchet.protocol.client.v1.ListFeedsReply;
import dev.ratchet.protocol.client.v1.PutFeedRequest;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.ConsumerRecord;
import dev.ratchet.protocol.feeds.v1.FeedRecord;
import dev.ratchet.store.keyspace.Keyspace;
import io.grpc.Status;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Begins, lists and ends feeds for clients; any worker does, because the truth is in the store. Thread-safe. */
public final class Feeds implements ViewFeeds {

    private static final int FEEDS_MAX = 64;

    private final FeedStore store;
    private final TransactionalFutures futures;
    private final Supplier<Optional<FedCircuit>> circuit;
    private final Environment environment;

    /** @param circuit of this worker; empty while it has opened none */
    public Feeds(
            Database database, Keyspace keyspace, Supplier<Optional<FedCircuit>> circuit, Environment environment) {
        this.store = new FeedStore(database, keyspace);
        this.futures = new TransactionalFutures(database, keyspace, environment);
        this.circuit = circuit;
        this.environment = environment;
    }

    @Override
    public CompletableFuture<FeedDescription> put(PutFeedRequest request) {
        if (request.getName().startsWith(DataflowStore.SINK_PREFIX)) {
            throw new IllegalArgumentException("The name '" + request.getName() + "' is one of an output of the"
                    + " circuit itself; choose one that does not begin with '" + DataflowStore.SINK_PREFIX + "'");
        }
        String view = view(request.getView());
        ByteString drawn = Ids.bytes(Ids.ofRandom(environment.randomId()));
        return store.database().runAsync(transaction -> store.all(transaction).thenCompose(all -> {
            Feed before = all.get(request.getName());
            if (before == null && all.size() >= FEEDS_MAX) {
                throw new IllegalArgumentException("There are " + FEEDS_MAX + " feeds already; end one of them first");
            }
            if (before != null && !before.record().getView().equals(view)) {
                throw new IllegalArgumentException("The feed '" + request.getName() + "' is one of the view "
                        + before.record().getView() + "; end it first, or take another name");
            }
            FeedRecord.Builder record =
                    before == null ? FeedRecord.newBuilder().setId(drawn) : before.record().toBuilder();
            record.setView(view).setTemplate(request.getTemplate()).setPendingMax(request.getPendingMax());
            return position(transaction, request, view, before)
                    .thenCombine(keep(transaction, request, before), (position, kept) -> {
                        Feed feed = new Feed(request.getName(), record.build(), position);
                        store.write(transaction, feed);
                        // Processes read anew from where on they keep changes.
                        store.circuit().count(transaction, Counter.ORDERED, 1);
                        return described(feed);
                    });
        }));
    }

    private String view(String name) {
        FedCircuit running = circuit.get().orElseThrow(() -> Status.FAILED_PRECONDITION
                .withDescription("The cluster has no circuit; give it a program in spec.circuit")
                .asRuntimeException());
        if (running.program().get().isEmpty()) {
            throw Status.UNAVAILABLE
                    .withDescription("This worker does not know yet which views the circuit has")
                    .asRuntimeException();
        }
        return running.view(name)
                .or(() -> running.program().get().orElseThrow().views().stream()
                        .filter(view -> view.name().equalsIgnoreCase(name))
                        .findFirst())
                .map(Relation::name)
                .orElseThrow(() -> new IllegalArgumentException("There is no view '" + name + "'; the views are "
                        + running.program().get().orElseThrow().views().stream()
                                .map(Relation::name)
                                .toList()));
    }

    /** Where the feed goes on, or begins: then the step is read together with the life of the circuit it belongs to. */
    private CompletableFuture<ConsumerRecord> position(
            Transaction transaction, PutFeedRequest request, String view, @Nullable Feed before) {
        if (before != null) {
            return CompletableFuture.completedFuture(
                    before.position().toBuilder().clearStop().build());
        }
        CompletableFuture<CircuitRecord> running = DataflowStore.read(
                transaction.snapshot(), store.circuit().circuit(), CircuitRecord.getDefaultInstance());
        return store.circuit().lastStep(transaction.snapshot()).thenCombine(running, (last, now) -> {
            long step = Math.max(last, now.getFirstStep());
            if (request.hasAfterStep() && request.getAfterStep() > step) {
                throw new IllegalArgumentException(
                        "Step " + request.getAfterStep() + " is not taken yet, the last one is " + step);
            }
            return ConsumerRecord.newBuilder()
                    .setView(view)
                    .setLife(now.getLife())
                    .setStep(request.hasAfterStep() ? request.getAfterStep() : step)
                    .build();
        });
    }

    private CompletableFuture<Void> keep(Transaction transaction, PutFeedRequest request, @Nullable Feed before) {
        CompletableFuture<Void> kept = futures.keep(transaction, request.getFunction());
        return before == null
                ? kept
                : kept.thenCompose(unused ->
                        futures.letGo(transaction, before.record().getTemplate().getFunction()));
    }

    @Override
    public CompletableFuture<ListFeedsReply> list() {
        return store.database().readAsync(store::all).thenApply(all -> {
            ListFeedsReply.Builder reply = ListFeedsReply.newBuilder();
            all.values().forEach(feed -> reply.addFeeds(described(feed)));
            return reply.build();
        });
    }

    private static FeedDescription described(Feed feed) {
        return FeedDescription.newBuilder()
                .setName(feed.name())
                .setView(feed.record().getView())
                .setJob(feed.record().getTemplate().getJob())
                .setStep(feed.position().getStep())
                .setSubmitted(feed.record().getSubmitted())
                .setStop(feed.position().getStop())
                .build();
    }

    @Override
    public CompletableFuture<EndFeedReply> end(String name) {
        return store.database()
                .runAsync(transaction -> store.read(transaction, name).thenCompose(found -> {
                    if (found.isEmpty()) {
                        return CompletableFuture.completedFuture(EndFeedReply.getDefaultInstance());
                    }
                    store.clear(transaction, name);
                    return futures.letGo(
                                    transaction,
                                    found.get().record().getTemplate().getFunction())
                            .thenApply(unused ->
                                    EndFeedReply.newBuilder().setEnded(true).build());
                }));
    }
}
