/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.remote;

import dev.ratchet.protocol.security.RefusedConnectionException;
import dev.ratchet.protocol.store.v1.BackupDone;
import dev.ratchet.protocol.store.v1.BackupGrpc;
import dev.ratchet.protocol.store.v1.BackupPiece;
import dev.ratchet.protocol.store.v1.TakeBackup;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Iterator;

/**
 * A copy of a store that another process serves.
 *
 * @param version of the store that the copy holds
 * @param generation how often the store had been restored
 * @param bytes length of the copy
 */
public record RemoteBackup(long version, long generation, long bytes) {

    /**
     * Asks for a copy and writes it to {@code target}. Blocks until all of it is there. What was written is of no use
     * if this throws.
     *
     * @param channel to the store; the caller shuts it down
     * @throws IOException if the target fails, or the store refuses, breaks off or can not be reached
     */
    public static RemoteBackup take(ManagedChannel channel, WritableByteChannel target) throws IOException {
        long bytes = 0;
        BackupDone done = null;
        try {
            Iterator<BackupPiece> pieces = BackupGrpc.newBlockingStub(channel).take(TakeBackup.getDefaultInstance());
            while (pieces.hasNext()) {
                BackupPiece piece = pieces.next();
                done = piece.hasDone() ? piece.getDone() : done;
                bytes += piece.getBytes().size();
                for (ByteBuffer part : piece.getBytes().asReadOnlyByteBufferList()) {
                    while (part.hasRemaining()) {
                        target.write(part);
                    }
                }
            }
        } catch (StatusRuntimeException refused) {
            throw new IOException(
                    "The store gave no backup: " + RefusedConnectionException.reason(refused.getStatus()), refused);
        }
        if (done == null) {
            throw new IOException("The store broke the backup off after " + bytes + " bytes: its log says why");
        }
        return new RemoteBackup(done.getVersion(), done.getGeneration(), bytes);
    }
}
