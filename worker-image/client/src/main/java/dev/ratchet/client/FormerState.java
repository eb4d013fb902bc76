/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;

/**
 * A recorded state of an actor that other code than that of the call has left; what {@link Actor#withMigration} is
 * given.
 *
 * @param code names that code: SHA-256 of the digests of its artifacts, 64 hexadecimal digits; empty where it was not
 *     recorded
 * @param bytes the state, or what its checkpoint has saved, as Java has serialised it
 */
public record FormerState(String code, byte[] bytes) {

    /**
     * The object, by the classes of the call: where those are compatible with what is recorded, as Java defines it.
     *
     * @throws IOException if they are not
     * @throws ClassNotFoundException if a class is gone
     */
    public Object read() throws IOException, ClassNotFoundException {
        ClassLoader classes = Thread.currentThread().getContextClassLoader();
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes)) {
            @Override
            protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
                try {
                    return Class.forName(description.getName(), false, classes);
                } catch (ClassNotFoundException missing) {
                    return super.resolveClass(description);
                }
            }
        }) {
            return in.readObject();
        }
    }
}
