/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import com.apple.foundationdb.Transaction;
import dev.ratchet.protocol.futures.v1.FunctionRecord;

/**
 * Notes of what may have nobody, or that somebody is about to name: a grace begins with each. Nobody writes the time
 * into a note but who collects, once it has seen the note: so there is one clock only.
 */
public final class UnusedNotes {

    /** A function, by the bytes of its digest. */
    public static final String FUNCTION = "function";

    /** A jar, by the bytes of its digest. */
    public static final String ARTIFACT = "artifact";

    /** A jar that is still on its way, by the name of its upload: {@link FutureKeys#artifactContent}. */
    public static final String UPLOAD = "upload";

    /** An uploaded argument, by the UUID of its future. */
    public static final String ARGUMENT = "argument";

    /** In a note that nobody has seen who collects; greater than any time. */
    public static final long UNSEEN = Long.MAX_VALUE;

    private UnusedNotes() {}

    /** Writes a note, or begins the grace of one anew. */
    public static void write(Transaction transaction, FutureKeys keys, String kind, Object owner) {
        keys.unused.set(transaction, UNSEEN, kind, owner);
    }

    /** Notes the jars of a function. */
    public static void ofArtifacts(Transaction transaction, FutureKeys keys, FunctionRecord function) {
        function.getArtifactsList().forEach(artifact -> write(transaction, keys, ARTIFACT, artifact.toByteArray()));
    }
}
