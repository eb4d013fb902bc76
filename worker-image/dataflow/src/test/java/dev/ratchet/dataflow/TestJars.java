/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;

/** Jars that are there once they were put. */
final class TestJars implements JarSource {

    private final Map<String, Path> files = new ConcurrentHashMap<>();
    private final Set<String> released = new CopyOnWriteArraySet<>();

    /** Puts a jar, or only tells its digest. */
    String put(Path jar, boolean isThere) {
        try {
            String digest = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
            if (isThere) {
                files.put(digest, jar);
            }
            return digest;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        } catch (NoSuchAlgorithmException lacking) {
            throw new IllegalStateException(lacking);
        }
    }

    /** Which jars were let go of: a transaction that is run again does so again. */
    Set<String> released() {
        return released;
    }

    @Override
    public CompletableFuture<Path> fetch(String jar) {
        Path file = files.get(jar);
        return file == null
                ? CompletableFuture.failedFuture(new IllegalStateException("The jar " + jar + " is not there"))
                : CompletableFuture.completedFuture(file);
    }

    @Override
    public CompletableFuture<Boolean> isStored(ReadTransaction transaction, String jar) {
        return CompletableFuture.completedFuture(files.containsKey(jar));
    }

    @Override
    public void release(Transaction transaction, String jar) {
        released.add(jar);
    }
}
