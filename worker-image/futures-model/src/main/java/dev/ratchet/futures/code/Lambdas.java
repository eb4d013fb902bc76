/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.code;

import dev.ratchet.protocol.futures.v1.LambdaCode;
import java.io.IOException;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Optional;

/**
 * Takes lambdas apart into the place that makes them and what they have captured there, and makes them again. The place
 * is the same for all of them, so it is the code, and what they have captured is data.
 */
public final class Lambdas {

    private static final String WRITER = "writeReplace";
    private static final String READER = "$deserializeLambda$";

    private Lambdas() {}

    /** What a serialisable lambda or method reference is made of; nothing if it is neither, or does not tell. */
    public static Optional<SerializedLambda> partsOf(Object code) {
        if (!code.getClass().isHidden()) {
            return Optional.empty();
        }
        try {
            Method writer = code.getClass().getDeclaredMethod(WRITER);
            return writer.trySetAccessible() && writer.invoke(code) instanceof SerializedLambda parts
                    ? Optional.of(parts)
                    : Optional.empty();
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException untold) {
            return Optional.empty();
        }
    }

    /** The place that has made it. */
    public static LambdaCode place(SerializedLambda parts) {
        return LambdaCode.newBuilder()
                .setCapturingClass(parts.getCapturingClass())
                .setInterfaceClass(parts.getFunctionalInterfaceClass())
                .setInterfaceMethod(parts.getFunctionalInterfaceMethodName())
                .setInterfaceSignature(parts.getFunctionalInterfaceMethodSignature())
                .setImplementationKind(parts.getImplMethodKind())
                .setImplementationClass(parts.getImplClass())
                .setImplementationMethod(parts.getImplMethodName())
                .setImplementationSignature(parts.getImplMethodSignature())
                .setInstantiatedType(parts.getInstantiatedMethodType())
                .setCaptured(parts.getCapturedArgCount())
                .build();
    }

    /** What it has captured there. */
    public static Object[] captured(SerializedLambda parts) {
        Object[] captured = new Object[parts.getCapturedArgCount()];
        for (int i = 0; i < captured.length; i++) {
            captured[i] = parts.getCapturedArg(i);
        }
        return captured;
    }

    /** Makes lambdas of one place, with the classes of one loader. */
    static final class Maker {

        private final LambdaCode place;
        private final Class<?> capturing;
        private final Method reader;

        /** @throws ReflectiveOperationException if the place is not among the classes */
        Maker(LambdaCode place, ClassLoader loader) throws ReflectiveOperationException {
            this.place = place;
            this.capturing = Class.forName(place.getCapturingClass().replace('/', '.'), false, loader);
            initialize(capturing);
            this.reader = capturing.getDeclaredMethod(READER, SerializedLambda.class);
            reader.setAccessible(true);
        }

        /**
         * From above: a thread that began with a constant of an enumeration would wait for whoever initializes the
         * enumeration, which makes its constants, and the other one for it.
         */
        private static void initialize(Class<?> type) throws ClassNotFoundException {
            if (type.getSuperclass() != null) {
                initialize(type.getSuperclass());
            }
            Class.forName(type.getName(), true, type.getClassLoader());
        }

        /**
         * A lambda.
         *
         * @throws IOException if the class has no such place, or does not capture such things there
         * @throws ReflectiveOperationException if the class does not let it be made
         */
        Object make(Object[] captured) throws IOException, ReflectiveOperationException {
            if (captured.length != place.getCaptured()) {
                throw new IOException("A lambda of " + place.getImplementationClass() + "."
                        + place.getImplementationMethod() + " captures " + place.getCaptured() + " values, not "
                        + captured.length);
            }
            SerializedLambda parts = new SerializedLambda(
                    capturing,
                    place.getInterfaceClass(),
                    place.getInterfaceMethod(),
                    place.getInterfaceSignature(),
                    place.getImplementationKind(),
                    place.getImplementationClass(),
                    place.getImplementationMethod(),
                    place.getImplementationSignature(),
                    place.getInstantiatedType(),
                    captured);
            try {
                return reader.invoke(null, parts);
            } catch (InvocationTargetException unknown) {
                throw new IOException(
                        "The class " + capturing.getName() + " makes no lambda of " + place.getImplementationMethod()
                                + ": " + unknown.getCause(),
                        unknown.getCause());
            }
        }
    }
}
