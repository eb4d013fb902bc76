/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.cli.view.Column;
import dev.ratchet.cli.view.Section;
import dev.ratchet.cli.view.View;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.JobSummary;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.client.RemoteRatchet;
import dev.ratchet.protocol.client.v1.MemberStatus;
import dev.ratchet.protocol.client.v1.StatusReply;
import dev.ratchet.protocol.client.v1.StatusRequest;
import dev.ratchet.protocol.client.v1.SummaryRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The workers and jobs of a cluster as its gateway tells them. */
final class ClusterStatus {

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

    private ClusterStatus() {}

    static View all(GatewayConnection gateway) {
        return add(ask(gateway), new View());
    }

    /** Adds what the workers say to what is known of the cluster otherwise. */
    static View add(StatusReply status, View view) {
        view.heading("cluster " + status.getNamespace() + "/" + status.getCluster());
        view.fields()
                .put("namespace", status.getNamespace())
                .put("cluster", status.getCluster())
                .put("moreJobs", status.getMoreJobs());
        view.section(workers(status))
                .section(jobs(status.getJobsList().stream()
                        .map(one -> RemoteRatchet.summary(one.getJob(), one.getSummary()))
                        .toList()));
        return status.getMoreJobs() ? view.ending("and more jobs, each of which --job NAME shows") : view;
    }

    /** One job with its work by worker. */
    static View job(GatewayConnection gateway, String job) {
        JobSummary summary = summary(gateway, job);
        if (SHOWN.stream().allMatch(state -> summary.count(state) == 0)) {
            throw new InvalidInputException(
                    "There is no future of a job '" + summary.job() + "'. Without --job all jobs are shown.");
        }
        List<ObjectNode> seats = new ArrayList<>();
        summary.realizedBySeatSorted()
                .forEach((seat, count) -> seats.add(
                        JsonNodeFactory.instance.objectNode().put("seat", seat).put("realized", count)));
        return new View()
                .section(jobs(List.of(summary)))
                .section(new Section(
                        "workers",
                        "worker",
                        "seat",
                        List.of(Column.of("WORKER", "seat"), Column.of("REALIZED", "realized")),
                        seats));
    }

    static JobSummary summary(GatewayConnection gateway, String job) {
        SummaryRequest request = SummaryRequest.newBuilder().setJob(job).build();
        return RemoteRatchet.summary(
                job, GatewayConnection.await(gateway.call((stub, answer) -> stub.summary(request, answer))));
    }

    static StatusReply ask(GatewayConnection gateway) {
        return GatewayConnection.await(
                gateway.call((stub, answer) -> stub.status(StatusRequest.getDefaultInstance(), answer)));
    }

    static Section workers(StatusReply status) {
        List<ObjectNode> workers = new ArrayList<>();
        for (MemberStatus member : status.getMembersList()) {
            workers.add(JsonNodeFactory.instance
                    .objectNode()
                    .put("seat", member.getSeat())
                    .put("state", member.getState())
                    .put("incarnation", member.getIncarnation())
                    .put("threads", member.getThreads())
                    .put("claims", member.getClaims())
                    .put("host", member.getHost())
                    .put("address", member.getAddress())
                    .put("version", member.getVersion()));
        }
        List<Column> columns = new ArrayList<>(List.of(Column.of("WORKER", "seat")));
        for (String field : List.of("state", "incarnation", "threads", "claims", "host", "address", "version")) {
            columns.add(Column.of(field.toUpperCase(Locale.ROOT), field));
        }
        return new Section("workers", "worker", "seat", columns, workers);
    }

    private static Section jobs(List<JobSummary> summaries) {
        List<ObjectNode> jobs = new ArrayList<>();
        for (JobSummary summary : summaries) {
            ObjectNode job = JsonNodeFactory.instance.objectNode().put("job", summary.job());
            SHOWN.forEach(state -> job.put(field(state), summary.count(state)));
            jobs.add(job.put("retried", summary.retried()).put("recomputed", summary.recomputed()));
        }
        List<Column> columns = new ArrayList<>(List.of(Column.of("JOB", "job")));
        SHOWN.forEach(state -> columns.add(Column.of(state.name(), field(state))));
        columns.add(Column.of("RETRIED", "retried"));
        columns.add(Column.of("RECOMPUTED", "recomputed"));
        return new Section("jobs", "job", "job", columns, jobs);
    }

    private static String field(FutureState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
