/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.code;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import dev.ratchet.protocol.futures.v1.LambdaCode;
import dev.ratchet.protocol.futures.v1.NamedCode;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Code of a user, ready to run in this process. Holds its class loader open until it is closed; each run reads the code
 * anew, so that no run sees what another has changed in it; but code without any state is read once.
 */
public final class LoadedFunction implements AutoCloseable {

    private static final Object[] NOTHING = {};

    private final CodeLoaders.Loader loader;
    private final ByteString digest;
    private final FunctionRecord record;
    private final List<Path> files;

    LoadedFunction(CodeLoaders.Loader loader, ByteString digest, FunctionRecord record, List<Path> files) {
        this.digest = digest;
        this.loader = loader;
        this.record = record;
        this.files = files;
    }

    /** The loader of the user's classes: for arguments, upstreams and the thread's context. */
    public ClassLoader classLoader() {
        return loader.classLoader();
    }

    /** Digests of the artifacts that it comes from. */
    public List<ByteString> artifacts() {
        return record.getArtifactsList();
    }

    /** Files of its artifacts, in class path order. */
    public List<Path> files() {
        return files;
    }

    /** What it is. */
    public FunctionRecord record() {
        return record;
    }

    /** The digest of what it is. */
    public ByteString digest() {
        return digest;
    }

    /**
     * Makes the code callable.
     *
     * @param upstreams serialised values of the futures that the code has captured
     * @throws ReflectiveOperationException if the artifacts lack what it needs
     * @throws IOException if it does not fit them
     */
    public Invocation prepare(Map<FutureId, Serialized> upstreams) throws IOException, ReflectiveOperationException {
        Invocation shared = loader.stateless(digest);
        if (shared != null) {
            return shared;
        }
        if (record.getCodeCase() == FunctionRecord.CodeCase.SERIALIZED) {
            return prepareSerialized(upstreams);
        }
        Invocation invocation =
                switch (record.getCodeCase()) {
                    case NAMED -> prepareNamed(record.getNamed());
                    case LAMBDA -> prepareLambda(record.getLambda());
                    case OBJECT_CLASS -> LoadedFunction::task;
                    default -> throw new IOException("There is no code in the function, or of an unknown kind");
                };
        loader.share(digest, invocation);
        return invocation;
    }

    private Invocation prepareSerialized(Map<FutureId, Serialized> upstreams)
            throws IOException, ClassNotFoundException {
        Object code = CodeReader.read(record.getSerialized()::newInput, classLoader(), upstreams);
        Invocation invocation = invocation(code);
        if (code != null && isStateless(code.getClass())) {
            loader.share(digest, invocation);
        }
        return invocation;
    }

    private static Invocation invocation(@Nullable Object code) throws IOException {
        return switch (code) {
            case SerializableCallable<?> callable -> argument -> callable;
            case SerializableFunction<?, ?> function -> argument -> () -> call(function, argument);
            case null, default ->
                throw new IOException("The code is neither a SerializableCallable nor a SerializableFunction: " + code);
        };
    }

    /** What has captured nothing is made once; what has captured something is made of that, its argument. */
    private Invocation prepareLambda(LambdaCode code) throws IOException, ReflectiveOperationException {
        Lambdas.Maker maker = new Lambdas.Maker(code, classLoader());
        return code.getCaptured() == 0
                ? invocation(maker.make(NOTHING))
                : captured -> task(maker.make(captured instanceof Object[] values ? values : NOTHING));
    }

    private static Callable<?> task(@Nullable Object task) throws IOException {
        if (task instanceof SerializableCallable<?> callable) {
            return callable;
        }
        throw new IOException("The task is no SerializableCallable: " + task);
    }

    /** Whether objects of the class have nothing that one run could change for another. */
    private static boolean isStateless(Class<?> type) {
        for (Class<?> part = type; part != null && part != Object.class; part = part.getSuperclass()) {
            for (Field field : part.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    public void close() {
        loader.release();
    }

    @SuppressWarnings({"unchecked", "NullAway"
    }) // The client's signatures tie the argument to the function; it may be null.
    private static <A> @Nullable Object call(SerializableFunction<A, ?> function, @Nullable Object argument)
            throws Exception {
        return function.apply((A) argument);
    }

    private Invocation prepareNamed(NamedCode code) throws ReflectiveOperationException {
        Class<?> type = Class.forName(code.getClassName(), true, classLoader());
        Method method;
        boolean takesArgument;
        try {
            method = type.getMethod(code.getMethod(), String.class);
            takesArgument = true;
        } catch (NoSuchMethodException none) {
            method = withoutArgument(type, code.getMethod());
            takesArgument = false;
        }
        if (!Modifier.isStatic(method.getModifiers())) {
            throw new NoSuchMethodException(method + " is not static");
        }
        Method found = method;
        boolean passes = takesArgument;
        return argument -> () -> {
            try {
                return passes ? found.invoke(null, argument) : found.invoke(null);
            } catch (InvocationTargetException thrown) {
                if (thrown.getCause() instanceof Exception cause) {
                    throw cause;
                }
                throw thrown;
            }
        };
    }

    private static Method withoutArgument(Class<?> type, String name) throws NoSuchMethodException {
        try {
            return type.getMethod(name);
        } catch (NoSuchMethodException none) {
            throw new NoSuchMethodException(
                    type.getName() + " has no public static method " + name + "(String) or " + name + "()");
        }
    }

    /** Code with everything but its argument. */
    @FunctionalInterface
    public interface Invocation {
        /**
         * The user's code with its argument; called on the caller's thread it runs, and throws what it throws.
         *
         * @throws ReflectiveOperationException if the artifacts lack what it needs
         * @throws IOException if the argument does not fit it
         */
        Callable<?> with(@Nullable Object argument) throws IOException, ReflectiveOperationException;
    }
}
