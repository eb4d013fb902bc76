/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.JobSummary;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.client.RemoteRatchet;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.protocol.client.v1.DescribeRequest;
import dev.ratchet.protocol.client.v1.FutureDescription;
import dev.ratchet.protocol.client.v1.JobStatus;
import dev.ratchet.protocol.client.v1.MemberStatus;
import dev.ratchet.protocol.client.v1.StatusReply;
import dev.ratchet.protocol.client.v1.StatusRequest;
import dev.ratchet.store.environment.SystemEnvironment;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ratchet status}: workers, jobs, or one future. */
@Command(
        name = "status",
        description = "Shows the workers and jobs of a cluster, or one future.",
        mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {

    private static final List<FutureState> SHOWN = List.of(
            FutureState.WAITING,
            FutureState.QUEUED,
            FutureState.CLAIMED,
            FutureState.REALIZED,
            FutureState.FAILED,
            FutureState.CANCELLED,
            FutureState.LOST);

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConnectionMixin connection;

    @Option(names = "--job", paramLabel = "NAME", description = "only this job, with its work by worker")
    private @Nullable String job;

    @Parameters(arity = "0..1", paramLabel = "FUTURE", description = "id of a future")
    private @Nullable String future;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        FutureId id = future == null ? null : FutureId.parse(future);
        try (SystemEnvironment environment = new SystemEnvironment();
                GatewayConnection gateway = connection.open(environment)) {
            if (id != null) {
                show(out, describe(gateway, id), id);
            } else {
                show(out, status(gateway));
            }
        }
        out.flush();
        return 0;
    }

    private static StatusReply status(GatewayConnection gateway) {
        return GatewayConnection.await(
                gateway.call((stub, answer) -> stub.status(StatusRequest.getDefaultInstance(), answer)));
    }

    private static FutureDescription describe(GatewayConnection gateway, FutureId id) {
        return GatewayConnection.await(gateway.call((stub, answer) ->
                stub.describe(DescribeRequest.newBuilder().setId(Ids.bytes(id)).build(), answer)));
    }

    private void show(PrintWriter out, StatusReply status) {
        if (job == null) {
            out.println("cluster " + status.getNamespace() + "/" + status.getCluster());
            Table workers =
                    new Table("WORKER", "STATE", "INCARNATION", "THREADS", "CLAIMS", "HOST", "ADDRESS", "VERSION");
            for (MemberStatus member : status.getMembersList()) {
                workers.row(
                        member.getSeat(),
                        member.getState(),
                        member.getIncarnation(),
                        member.getThreads(),
                        member.getClaims(),
                        member.getHost(),
                        member.getAddress(),
                        member.getVersion());
            }
            workers.print(out);
            out.println();
        }
        Table jobs = new Table(
                "JOB",
                "WAITING",
                "QUEUED",
                "CLAIMED",
                "REALIZED",
                "FAILED",
                "CANCELLED",
                "LOST",
                "RETRIED",
                "RECOMPUTED");
        for (JobStatus one : status.getJobsList()) {
            if (job == null || job.equals(one.getJob())) {
                row(jobs, RemoteRatchet.summary(one.getJob(), one.getSummary()));
            }
        }
        jobs.print(out);
        if (job != null) {
            out.println();
            Table seats = new Table("WORKER", "REALIZED");
            status.getJobsList().stream()
                    .filter(one -> one.getJob().equals(job))
                    .forEach(one -> RemoteRatchet.summary(one.getJob(), one.getSummary())
                            .realizedBySeatSorted()
                            .forEach(seats::row));
            seats.print(out);
        }
    }

    private static void row(Table jobs, JobSummary summary) {
        Object[] cells = new Object[SHOWN.size() + 3];
        cells[0] = summary.job();
        for (int i = 0; i < SHOWN.size(); i++) {
            cells[i + 1] = summary.count(SHOWN.get(i));
        }
        cells[SHOWN.size() + 1] = summary.retried();
        cells[SHOWN.size() + 2] = summary.recomputed();
        jobs.row(cells);
    }

    private static void show(PrintWriter out, FutureDescription future, FutureId id) {
        out.println("future       " + id);
        out.println("state        " + Lifecycle.word(future.getState()));
        out.println("job          " + future.getJob());
        if (!future.getName().isEmpty()) {
            out.println("name         " + future.getName());
        }
        out.println("attempts     " + future.getAttempts() + " of " + (future.getMaxRetries() + 1));
        if (future.getReconstructions() > 0) {
            out.println("recomputed   " + future.getReconstructions());
        }
        out.println("upstreams    " + future.getUpstreams());
        if (future.hasClaim()) {
            out.println("last claim   " + future.getClaim().getSeat() + ", incarnation "
                    + future.getClaim().getIncarnation() + ", epoch "
                    + future.getClaim().getEpoch());
        }
        out.println("submitted    " + Instant.ofEpochMilli(future.getSubmittedWallMillis()));
        if (future.getDoneWallMillis() > 0) {
            out.println("done         " + Instant.ofEpochMilli(future.getDoneWallMillis()));
        }
        if (future.getValueBytes() > 0) {
            out.println("value        " + future.getValueBytes() + " bytes"
                    + (future.getHoldersCount() == 0 ? "" : " at " + String.join(", ", future.getHoldersList())));
        }
        if (future.hasFailure()) {
            out.println("last failure " + future.getFailure().getType() + ": "
                    + future.getFailure().getMessage());
            out.print(future.getFailure().getStackTrace());
        }
    }
}
