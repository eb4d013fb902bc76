/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.feeds;

import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.dataflow.DataflowCluster;
import dev.ratchet.dataflow.ShareFeed;
import dev.ratchet.dataflow.share.CircuitShares;
import dev.ratchet.dataflow.share.DataflowShares;
import dev.ratchet.dataflow.share.ViewReader;
import dev.ratchet.environment.Environment;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The circuit of a cluster in this process, as one of its workers sees it. */
final class TestCircuits {

    /** The process whose view of the circuit the feeds follow. */
    static final int FEEDING = 0;

    private TestCircuits() {}

    static Supplier<Optional<FedCircuit>> of(DataflowCluster cluster, Environment environment) {
        CircuitShares shares = new CircuitShares() {
            @Override
            public List<ShareFeed> feeds() {
                return cluster.worker(FEEDING).participants().isEmpty()
                        ? List.of()
                        : IntStream.range(0, cluster.size())
                                .mapToObj(number -> cluster.worker(number).shares())
                                .toList();
            }

            @Override
            public long life() {
                return cluster.worker(FEEDING).life();
            }

            @Override
            public ShareFeed.Subscription onChange(Runnable changed) {
                return cluster.worker(FEEDING).onRun(changed);
            }

            @Override
            public RowSchema schema(String view) {
                return new DataflowShares(cluster.worker(FEEDING), participant -> {
                            throw new IllegalStateException("no channel is needed");
                        })
                        .schema(view);
            }
        };
        return () -> Optional.of(new FedCircuit(
                () -> cluster.worker(FEEDING).program(),
                new ViewReader(shares, environment, ViewReader.Limits.DEFAULT)));
    }
}
