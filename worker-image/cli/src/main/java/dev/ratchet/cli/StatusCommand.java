/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.client.FutureState;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.JobSummary;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.client.RemoteRatchet;
import dev.ratchet.protocol.client.v1.MemberStatus;
import dev.ratchet.protocol.client.v1.StatusReply;
import dev.ratchet.protocol.client.v1.StatusRequest;
import dev.ratchet.protocol.client.v1.SummaryRequest;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ratchet status}: workers and jobs. */
@Command(
        name = "status",
        description = "Shows the workers and jobs of a cluster, or one job with its work by worker.",
        mixinStandardHelpOptions = true)
final class StatusCommand extends GatewayCommand {

    private static final List<FutureState> SHOWN = List.of(
            FutureState.WAITING,
            FutureState.DELAYED,
            FutureState.QUEUED,
            FutureState.ASSIGNED,
            FutureState.CLAIMED,
            FutureState.REALIZED,
            FutureState.FAILED,
            FutureState.CANCELLED,
            FutureState.LOST);

    @Option(names = "--job", paramLabel = "NAME", description = "only this job, with its work by worker")
    private @Nullable String job;

    @Override
    void check() {
        requireValue("--job", job);
    }

    @Override
    int ask(GatewayConnection gateway, PrintWriter out) {
        if (job != null) {
            showJob(summary(gateway, job), out);
        } else {
            showAll(status(gateway), out);
        }
        return 0;
    }

    private static JobSummary summary(GatewayConnection gateway, String job) {
        SummaryRequest request = SummaryRequest.newBuilder().setJob(job).build();
        return RemoteRatchet.summary(
                job, GatewayConnection.await(gateway.call((stub, answer) -> stub.summary(request, answer))));
    }

    static StatusReply status(GatewayConnection gateway) {
        return GatewayConnection.await(
                gateway.call((stub, answer) -> stub.status(StatusRequest.getDefaultInstance(), answer)));
    }

    private void showAll(StatusReply status, PrintWriter out) {
        out.println("cluster " + status.getNamespace() + "/" + status.getCluster());
        workers(status).print(out);
        out.println();
        Table jobs = jobs();
        status.getJobsList().forEach(one -> row(jobs, RemoteRatchet.summary(one.getJob(), one.getSummary())));
        jobs.print(out);
        if (status.getMoreJobs()) {
            out.println("and more jobs, each of which --job NAME shows");
        }
    }

    private static void showJob(JobSummary summary, PrintWriter out) {
        if (SHOWN.stream().allMatch(state -> summary.count(state) == 0)) {
            throw new InvalidInputException(
                    "There is no future of a job '" + summary.job() + "'. Without --job all jobs are shown.");
        }
        Table jobs = jobs();
        row(jobs, summary);
        jobs.print(out);
        out.println();
        Table seats = new Table("WORKER", "REALIZED");
        summary.realizedBySeatSorted().forEach(seats::row);
        seats.print(out);
    }

    private static Table jobs() {
        return new Table(
                "JOB",
                "WAITING",
                "DELAYED",
                "QUEUED",
                "ASSIGNED",
                "CLAIMED",
                "REALIZED",
                "FAILED",
                "CANCELLED",
                "LOST",
                "RETRIED",
                "RECOMPUTED");
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

    /** The workers of a cluster. */
    static Table workers(StatusReply status) {
        Table workers = new Table("WORKER", "STATE", "INCARNATION", "THREADS", "CLAIMS", "HOST", "ADDRESS", "VERSION");
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
        return workers;
    }
}
