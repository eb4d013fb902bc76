/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.code;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.NotSerializableTaskException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Serialises code, arguments and results by Java serialization. Futures inside of them are replaced by references and
 * noted, because what refers to a future depends on it.
 */
public final class CodeWriter {

    /** What a serialised array of bytes has before its content. */
    private static final int ARRAY_HEADER_BYTES = 27;

    private CodeWriter() {}

    /**
     * The bytes of {@code value}.
     *
     * @param what what it is, for the message: "task", "argument"
     * @param upstreams receives the futures found inside
     * @throws NotSerializableTaskException if something in it is not serialisable; names the path of fields to it
     */
    public static byte[] write(String what, @Nullable Object value, Set<FutureId> upstreams) {
        Content bytes = new Content(value instanceof byte[] array ? array.length + ARRAY_HEADER_BYTES : 512);
        try (ObjectOutputStream out = new FutureReplacing(bytes, upstreams)) {
            out.writeObject(value);
        } catch (NotSerializableException culprit) {
            String type = String.valueOf(culprit.getMessage());
            String path = value == null ? "" : UnserializablePath.to(value, what, type);
            throw new NotSerializableTaskException(
                    "The " + what + " can not be serialised: " + path + " is a " + type
                            + ", which is not java.io.Serializable. Leave it out, or make it transient.",
                    culprit);
        } catch (StackOverflowError deep) {
            throw new NotSerializableTaskException(
                    "The " + what + " can not be serialised: its objects hold each other in too long a chain, as those"
                            + " of a linked list do. Keep them in an array or a collection.",
                    deep);
        } catch (IOException | RuntimeException broken) {
            throw new NotSerializableTaskException("The " + what + " can not be serialised: " + broken, broken);
        }
        return bytes.whole();
    }

    /** Does not copy what fits exactly. */
    private static final class Content extends ByteArrayOutputStream {
        Content(int size) {
            super(size);
        }

        synchronized byte[] whole() {
            return count == buf.length ? buf : toByteArray();
        }
    }

    /**
     * The bytes of a value, in which futures are not allowed as they would have nobody to wait for them.
     *
     * @param what what it is, for the message: "result", "item"
     */
    public static byte[] writeValue(String what, @Nullable Object value) {
        Set<FutureId> found = new LinkedHashSet<>();
        byte[] bytes = write(what, value, found);
        if (!found.isEmpty()) {
            throw new NotSerializableTaskException("The " + what + " holds the future "
                    + found.iterator().next() + ". Give its value instead, or its id.");
        }
        return bytes;
    }

    private static final class FutureReplacing extends ObjectOutputStream {
        private final Set<FutureId> upstreams;

        FutureReplacing(OutputStream out, Set<FutureId> upstreams) throws IOException {
            super(out);
            this.upstreams = upstreams;
            enableReplaceObject(true);
        }

        @Override
        protected @Nullable Object replaceObject(@Nullable Object object) {
            if (object instanceof DurableFuture<?> future) {
                upstreams.add(future.id());
                return new FutureReference(future.id());
            }
            return object;
        }
    }
}
