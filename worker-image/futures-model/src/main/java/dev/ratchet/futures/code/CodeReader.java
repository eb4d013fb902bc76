/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.code;

import dev.ratchet.client.FutureId;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what {@link CodeWriter} has written, with the classes of one loader and the values of the upstreams. */
public final class CodeReader {

    private CodeReader() {}

    /** An object that refers to no futures. */
    public static @Nullable Object read(byte[] bytes, ClassLoader loader) throws IOException, ClassNotFoundException {
        return read(Serialized.of(bytes), loader, Map.of());
    }

    /**
     * The object that was written.
     *
     * @param upstreams serialised values of the futures that it may refer to
     * @throws ClassNotFoundException if the artifacts lack a class
     * @throws IOException if the bytes do not fit the classes
     */
    public static @Nullable Object read(Serialized bytes, ClassLoader loader, Map<FutureId, Serialized> upstreams)
            throws IOException, ClassNotFoundException {
        return read(bytes, loader, upstreams, null);
    }

    /** As {@link #read(Serialized, ClassLoader, Map)}, with what {@code filter} allows, if there is one. */
    static @Nullable Object read(
            Serialized bytes,
            ClassLoader loader,
            Map<FutureId, Serialized> upstreams,
            @Nullable ObjectInputFilter filter)
            throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new LoaderBound(bytes.open(), loader, upstreams)) {
            if (filter != null) {
                in.setObjectInputFilter(filter);
            }
            return in.readObject();
        }
    }

    private static final class LoaderBound extends ObjectInputStream {
        private static final Map<String, Class<?>> PRIMITIVES = Stream.of(
                        boolean.class,
                        byte.class,
                        char.class,
                        short.class,
                        int.class,
                        long.class,
                        float.class,
                        double.class,
                        void.class)
                .collect(Collectors.toUnmodifiableMap(Class::getName, type -> type));

        private final ClassLoader loader;
        private final Map<FutureId, Serialized> upstreams;

        LoaderBound(InputStream in, ClassLoader loader, Map<FutureId, Serialized> upstreams) throws IOException {
            super(in);
            this.loader = loader;
            this.upstreams = upstreams;
            enableResolveObject(true);
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws ClassNotFoundException {
            if (description.getName().equals(FutureReference.class.getName())) {
                return FutureReference.class;
            }
            Class<?> primitive = PRIMITIVES.get(description.getName());
            return primitive != null ? primitive : Class.forName(description.getName(), false, loader);
        }

        @Override
        protected Class<?> resolveProxyClass(String[] interfaces) throws ClassNotFoundException {
            Class<?>[] types = new Class<?>[interfaces.length];
            for (int i = 0; i < interfaces.length; i++) {
                types[i] = Class.forName(interfaces[i], false, loader);
            }
            return Proxy.newProxyInstance(loader, types, (proxy, method, arguments) -> null)
                    .getClass();
        }

        @Override
        protected @Nullable Object resolveObject(@Nullable Object object) throws IOException {
            if (!(object instanceof FutureReference reference)) {
                return object;
            }
            Serialized value = upstreams.get(reference.id());
            if (value == null) {
                throw new IOException("The task refers to the future " + reference.id()
                        + ", which is not among its upstreams. Submit it through the same connection.");
            }
            return new RealizedFuture<Object>(
                    reference.id(), () -> readValue(reference.id(), value, loader, upstreams));
        }
    }

    private static @Nullable Object readValue(
            FutureId id, Serialized value, ClassLoader loader, Map<FutureId, Serialized> upstreams) {
        try {
            return read(value, loader, upstreams);
        } catch (IOException | ClassNotFoundException unreadable) {
            throw new IllegalStateException(
                    "The value of the future " + id + " can not be read: " + unreadable, unreadable);
        }
    }
}
