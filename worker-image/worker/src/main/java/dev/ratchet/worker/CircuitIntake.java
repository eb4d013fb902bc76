/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.dataflow.InputRequest;
import dev.ratchet.dataflow.Received;
import dev.ratchet.dataflow.RowFormat;
import dev.ratchet.dataflow.TableRows;
import dev.ratchet.dataflow.query.TableIntake;
import dev.ratchet.dataflow.query.WaitingBytes;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.gateway.RowIntake;
import dev.ratchet.protocol.client.v1.AddRowsRequest;
import dev.ratchet.protocol.client.v1.ProducerDescription;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Hands rows of clients to what takes those over HTTP, too. Safe for use by several threads. */
final class CircuitIntake implements RowIntake {

    private final Supplier<TableIntake> circuit;

    /** @param circuit of this worker; fails with a status where it has none */
    CircuitIntake(Supplier<TableIntake> circuit) {
        this.circuit = circuit;
    }

    @Override
    public CompletableFuture<ProducerDescription> add(AddRowsRequest request) {
        return described(GuardedCallbacks.begin(() -> append(request)));
    }

    private CompletableFuture<Received> append(AddRowsRequest request) {
        if (request.getProducer().isEmpty()) {
            throw new IllegalArgumentException("The request names no producer; give it one");
        }
        TableIntake intake = circuit.get();
        WaitingBytes.Counted counted = intake.waiting().begin(request.getSerializedSize());
        List<TableRows> tables = request.getTablesList().stream()
                .map(table -> new TableRows(
                        table.getTable(), RowFormat.NDJSON, table.getLines().toByteArray()))
                .toList();
        InputRequest rows = new InputRequest(request.getProducer(), request.getSequence(), tables);
        return GuardedCallbacks.begin(() -> intake.append(rows)).whenComplete((received, failure) -> counted.close());
    }

    @Override
    public CompletableFuture<ProducerDescription> received(String producer) {
        return described(GuardedCallbacks.begin(() -> circuit.get().received(producer)));
    }

    private static CompletableFuture<ProducerDescription> described(CompletableFuture<Received> found) {
        return found.thenApply(received -> ProducerDescription.newBuilder()
                        .setSequence(received.sequence())
                        .setPosition(received.position())
                        .setRepeated(received.repeated())
                        .build())
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(CircuitRefusals.told(failure)));
    }
}
