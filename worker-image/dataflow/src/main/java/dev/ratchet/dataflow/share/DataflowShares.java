/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import dev.ratchet.circuits.circuit.Plan;
import dev.ratchet.circuits.circuit.StepErrors;
import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.dataflow.Participant;
import dev.ratchet.dataflow.ShareFeed;
import dev.ratchet.dataflow.process.Dataflow;
import io.grpc.Channel;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The shares of the circuit that this worker takes part in: its own, and those of the others over their channels. */
public final class DataflowShares implements CircuitShares {

    private final Dataflow dataflow;
    private final Function<Participant, Channel> channels;

    /** @param channels to the gRPC servers of workers, this one's among them */
    public DataflowShares(Dataflow dataflow, Function<Participant, Channel> channels) {
        this.dataflow = dataflow;
        this.channels = channels;
    }

    @Override
    public List<ShareFeed> feeds() {
        return dataflow.participants().stream()
                .<ShareFeed>map(participant -> new RemoteShareFeed(channels.apply(participant), this::schema))
                .toList();
    }

    @Override
    public long life() {
        return dataflow.life();
    }

    @Override
    public ShareFeed.Subscription onChange(Runnable changed) {
        return dataflow.onRun(changed);
    }

    @Override
    public RowSchema schema(String view) {
        Map<String, Plan.View> views =
                dataflow.program().map(CompiledProgram::plan).map(Plan::views).orElse(Map.of());
        Plan.View found = views.get(view);
        if (found == null && view.equals(StepErrors.VIEW)) {
            return new RowSchema(StepErrors.types(), List.of());
        }
        if (found == null) {
            throw new IllegalArgumentException("There is no view " + view + "; the views are " + views.keySet());
        }
        return found.schema();
    }
}
