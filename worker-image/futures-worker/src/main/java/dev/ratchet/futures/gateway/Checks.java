/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import dev.ratchet.futures.check.CheckReport;
import dev.ratchet.futures.check.ClusterCheck;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Members;
import dev.ratchet.protocol.client.v1.CheckReply;
import dev.ratchet.protocol.client.v1.StoreViolation;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Runs checks of the whole store for clients, one at a time. Safe for use by several threads. */
final class Checks {

    private final FutureStore store;
    private final Members members;
    private @Nullable CompletableFuture<CheckReply> running;

    Checks(FutureStore store, Members members) {
        this.store = store;
        this.members = members;
    }

    /** The answer of the check that runs, or else of a new one. */
    synchronized CompletableFuture<CheckReply> check() {
        if (running == null || running.isDone()) {
            running = new ClusterCheck(store, members).run().thenApply(Checks::reply);
        }
        return running;
    }

    private static CheckReply reply(CheckReport report) {
        CheckReply.Builder reply = CheckReply.newBuilder()
                .setKeys(report.keys())
                .setFutures(report.futures())
                .setVersions(report.versions())
                .setViolationCount(report.violationCount())
                .addAllNotes(report.notes());
        report.violations()
                .forEach(violation -> reply.addViolations(
                        StoreViolation.newBuilder().setKey(violation.key()).setMessage(violation.message())));
        return reply.build();
    }
}
