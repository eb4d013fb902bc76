/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import com.apple.foundationdb.async.AsyncUtil;
import com.apple.foundationdb.tuple.Tuple;
import com.google.protobuf.ByteString;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.UnusedNotes;
import dev.ratchet.protocol.futures.v1.ArtifactRecord;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Code is complete, and what counts its users counts users of something. */
final class CodeChecks {

    private static final int DIGEST_BYTES = 32;

    private CodeChecks() {}

    /** A function has all its pieces, and its artifacts unless it is one that is uploaded beside them. */
    static TableCheck functions(FutureKeys keys) {
        return TableCheck.of(keys.functions, (page, row) -> {
            FunctionRecord function = keys.functions.decode(row.value());
            byte[] digest = row.key().getBytes(0);
            List<CompletableFuture<Void>> verdicts = new ArrayList<>();
            CompletableFuture<Boolean> isUsed = page.exists(keys.functionUses.key((Object) digest));
            verdicts.add(isUsed.thenCombine(
                            page.exists(keys.unused.key(UnusedNotes.FUNCTION, digest)), (used, noted) -> used || noted)
                    .thenAccept(known -> row.require(known, "has no use and is not noted as unused")));
            function.getArtifactsList()
                    .forEach(artifact -> verdicts.add(page.exists(keys.artifacts.key((Object) artifact.toByteArray()))
                            .thenCombine(isUsed, (there, used) -> there || !used)
                            .thenAccept(holds -> row.require(holds, "needs an artifact that is not there"))));
            if (function.getChunks() > 0) {
                verdicts.add(page.exists(keys.functionContent.key(digest, function.getChunks() - 1))
                        .thenAccept(there -> row.require(there, "lacks its last piece")));
            }
            return AsyncUtil.whenAll(verdicts);
        });
    }

    /** Pieces of a function are those that it has, or those of one that is still to be submitted. */
    static TableCheck functionPieces(FutureKeys keys) {
        return TableCheck.of(keys.functionContent, (page, row) -> {
            Tuple key = row.key();
            return page.get(keys.functions.key((Object) key.getBytes(0))).thenAccept(value -> {
                FunctionRecord function = keys.functions.decodeOrNull(value);
                row.require(
                        function == null || key.getLong(1) < function.getChunks(),
                        "is a piece more than its function has");
            });
        });
    }

    /** Uses are counted of functions that are there. */
    static TableCheck uses(FutureKeys keys) {
        return TableCheck.of(keys.functionUses, (page, row) -> {
            long uses = keys.functionUses.decode(row.value());
            byte[] digest = row.key().getBytes(0);
            return page.exists(keys.functions.key((Object) digest))
                    .thenAccept(there -> row.require(
                            there && uses > 0,
                            "counts " + uses + " uses of a function that is " + (there ? "there" : "missing")));
        });
    }

    /** A jar has all its pieces. */
    static TableCheck artifacts(FutureKeys keys) {
        return TableCheck.of(keys.artifacts, (page, row) -> {
            ArtifactRecord artifact = keys.artifacts.decode(row.value());
            byte[] digest = row.key().getBytes(0);
            byte[] owner = artifact.getContent().isEmpty()
                    ? digest
                    : artifact.getContent().toByteArray();
            return page.exists(keys.artifactContent.key(owner, artifact.getChunks() - 1))
                    .thenAccept(there -> row.require(there, "lacks its last piece"));
        });
    }

    /** Pieces of a jar are those that it has, or those of one that is still on its way. */
    static TableCheck artifactPieces(FutureKeys keys) {
        return TableCheck.of(keys.artifactContent, (page, row) -> {
            Tuple key = row.key();
            byte[] owner = key.getBytes(0);
            byte[] digest = Arrays.copyOf(owner, Math.min(owner.length, DIGEST_BYTES));
            return page.get(keys.artifacts.key((Object) digest))
                    .thenCombine(page.exists(keys.unused.key(UnusedNotes.UPLOAD, owner)), (value, onItsWay) -> {
                        ArtifactRecord artifact = keys.artifacts.decodeOrNull(value);
                        row.require(
                                onItsWay || isPiece(artifact, owner, key.getLong(1)),
                                "is a piece more than its artifact has");
                        return null;
                    });
        });
    }

    /** Without a record, one that a release before 0.2.0 is receiving. */
    private static boolean isPiece(@Nullable ArtifactRecord artifact, byte[] owner, long number) {
        boolean plain = owner.length <= DIGEST_BYTES;
        if (artifact == null) {
            return plain;
        }
        ByteString content = artifact.getContent();
        return number < artifact.getChunks()
                && (content.isEmpty() ? plain : content.equals(ByteString.copyFrom(owner)));
    }
}
