/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.NamedTask;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.futures.code.CodeWriter;
import dev.ratchet.futures.code.Digests;
import dev.ratchet.futures.code.Lambdas;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.protocol.client.v1.ContentChunk;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import dev.ratchet.protocol.futures.v1.NamedCode;
import java.lang.invoke.SerializedLambda;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns users' code into functions of the cluster, which are named by what they are: code from one place of a program
 * that differs only in what it has captured is one function wherever the rest can travel as an argument. What it made
 * of a class it remembers. Safe for use by several threads.
 */
final class CodePackaging {

    private static final int FUNCTIONS_MAX = 1_000;

    /** Code, ready to be sent, with the futures that it has captured. */
    record Code(
            SubmittedFunction function,
            Set<FutureId> captured,
            ClassLoader classLoader,
            CompletableFuture<Void> uploaded) {}

    /** Code whose futures take what it has captured as their argument; that is null where it is nothing. */
    record TakenApart(Code code, @Nullable Object captured) {}

    private final GatewayConnection connection;
    private final Shipping shipping;
    /** What was made of lambdas and objects of a class, the last time. */
    private final Map<Class<?>, FunctionOfClass> functions = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Class<?>, FunctionOfClass> eldest) {
            return size() > FUNCTIONS_MAX;
        }
    };

    private record FunctionOfClass(FunctionRecord record, SubmittedFunction function) {}

    CodePackaging(GatewayConnection connection, Shipping shipping) {
        this.connection = connection;
        this.shipping = shipping;
    }

    /** A task without an argument of its own; nothing if what it has captured can not be told from it. */
    Optional<TakenApart> takeApart(SerializableCallable<?> task) {
        Optional<SerializedLambda> lambda = Lambdas.partsOf(task);
        if (lambda.isPresent()) {
            Object[] captured = Lambdas.captured(lambda.get());
            return Optional.of(
                    new TakenApart(ofLambda(task.getClass(), lambda.get()), captured.length == 0 ? null : captured));
        }
        Class<?> type = task.getClass();
        return UserCode.isUsers(type) && !type.isHidden()
                ? Optional.of(new TakenApart(ofClass(type, record -> record.setObjectClass(type.getName())), task))
                : Optional.empty();
    }

    /**
     * A lambda, or an object of a user's class, or one of the API around such, with all that it has captured.
     *
     * @param argument looked at for users' classes where the task has none
     */
    Code code(Object task, @Nullable Object argument) {
        Optional<SerializedLambda> lambda = Lambdas.partsOf(task);
        return lambda.isPresent() && lambda.get().getCapturedArgCount() == 0
                ? ofLambda(task.getClass(), lambda.get())
                : whole(task, argument);
    }

    /** Code that is given objects such as {@code call} as its argument, to apply them to something else. */
    Code applying(Object call) {
        Optional<Class<?>> userClass = UserCode.classOf(call, null);
        Shipping.Shipped shipped = userClass.map(shipping::shipFor).orElseGet(shipping::shipKnown);
        FunctionRecord record = FunctionRecord.newBuilder()
                .addAllArtifacts(shipped.digests())
                .setObjectClass(call.getClass().getName())
                .build();
        return new Code(
                function(record),
                Set.of(),
                userClass.map(CodePackaging::loaderOf).orElseGet(CodePackaging::contextLoader),
                shipped.uploaded());
    }

    /** A method of the connection's artifacts. */
    Code code(NamedTask task) {
        Shipping.Shipped shipped = shipping.shipGiven();
        FunctionRecord record = FunctionRecord.newBuilder()
                .addAllArtifacts(shipped.digests())
                .setNamed(NamedCode.newBuilder().setClassName(task.className()).setMethod(task.method()))
                .build();
        return new Code(function(record), Set.of(), loaderOf(NamedTask.class), shipped.uploaded());
    }

    private Code ofLambda(Class<?> type, SerializedLambda lambda) {
        return ofClass(type, record -> record.setLambda(Lambdas.place(lambda)));
    }

    private Code ofClass(Class<?> type, Consumer<FunctionRecord.Builder> describe) {
        Shipping.Shipped shipped = shipping.shipFor(type);
        FunctionOfClass known;
        synchronized (functions) {
            known = functions.get(type);
            if (known == null || !known.record().getArtifactsList().equals(shipped.digests())) {
                FunctionRecord.Builder record = FunctionRecord.newBuilder().addAllArtifacts(shipped.digests());
                describe.accept(record);
                known = new FunctionOfClass(record.build(), function(record.build()));
                functions.put(type, known);
            }
        }
        return new Code(known.function(), Set.of(), loaderOf(type), shipped.uploaded());
    }

    /** Code with all that it has captured, in one piece. */
    Code whole(Object task, @Nullable Object argument) {
        Set<FutureId> captured = new LinkedHashSet<>();
        byte[] bytes = CodeWriter.write("task", task, captured);
        TaskPackaging.requireSize("The task with what it captures", bytes.length);
        Optional<Class<?>> userClass = UserCode.classOf(task, argument);
        Shipping.Shipped shipped = userClass.map(shipping::shipFor).orElseGet(shipping::shipKnown);
        FunctionRecord whole = FunctionRecord.newBuilder()
                .addAllArtifacts(shipped.digests())
                .setSerialized(UnsafeByteOperations.unsafeWrap(bytes))
                .build();
        ByteString digest = Digests.ofFunction(whole);
        SubmittedFunction.Builder function = SubmittedFunction.newBuilder().setDigest(digest);
        CompletableFuture<Void> uploaded = shipped.uploaded();
        if (whole.getSerializedSize() <= ValueSizes.PIECE_BYTES) {
            function.setCode(whole);
        } else {
            function.setCode(whole.toBuilder().clearSerialized().setChunks(ValueSizes.pieces(bytes.length)));
            ContentChunk first = ContentChunk.newBuilder()
                    .setFunction(digest)
                    .setCode(whole.toBuilder().clearSerialized())
                    .setBytes(bytes.length)
                    .build();
            uploaded = CompletableFuture.allOf(uploaded, StreamUpload.ofContent(connection, first, bytes));
        }
        return new Code(
                function.build(),
                captured,
                userClass.map(CodePackaging::loaderOf).orElseGet(CodePackaging::contextLoader),
                uploaded);
    }

    private static SubmittedFunction function(FunctionRecord record) {
        return SubmittedFunction.newBuilder()
                .setDigest(Digests.ofFunction(record))
                .setCode(record)
                .build();
    }

    private static ClassLoader contextLoader() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context == null ? CodePackaging.class.getClassLoader() : context;
    }

    private static ClassLoader loaderOf(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null ? CodePackaging.class.getClassLoader() : loader;
    }
}
