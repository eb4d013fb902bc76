/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.server;

import dev.ratchet.protocol.security.CallerIdentity;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.store.v1.BackupDone;
import dev.ratchet.protocol.store.v1.BackupGrpc;
import dev.ratchet.protocol.store.v1.BackupPiece;
import dev.ratchet.protocol.store.v1.TakeBackup;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends copies of the store while it goes on, as fast as the caller takes them. */
final class BackupService extends BackupGrpc.BackupImplBase {

    private static final Logger LOG = LoggerFactory.getLogger(BackupService.class);

    private final Served served;

    BackupService(Served served) {
        this.served = served;
    }

    @Override
    public void take(TakeBackup request, StreamObserver<BackupPiece> answers) {
        Identity caller = CallerIdentity.current();
        BackupChannel channel = new BackupChannel((ServerCallStreamObserver<BackupPiece>) answers);
        LOG.info("Backup begins: caller={}", caller);
        served.backups().write(channel).whenComplete((version, failure) -> {
            if (failure == null) {
                LOG.info("Backup taken: caller={} version={} bytes={}", caller, version, channel.sentBytes());
                channel.complete(BackupDone.newBuilder()
                        .setVersion(version)
                        .setGeneration(served.generation())
                        .build());
            } else {
                Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
                LOG.warn("Backup not taken: caller={} bytes={}", caller, channel.sentBytes(), cause);
                channel.fail(Status.ABORTED.withDescription(String.valueOf(cause.getMessage())));
            }
        });
    }
}
