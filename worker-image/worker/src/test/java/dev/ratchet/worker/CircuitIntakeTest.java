/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ratchet.circuits.circuit.CircuitPicture;
import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.dataflow.DataflowState;
import dev.ratchet.dataflow.DataflowStatus;
import dev.ratchet.dataflow.InputFullException;
import dev.ratchet.dataflow.InputLog;
import dev.ratchet.dataflow.InputRequest;
import dev.ratchet.dataflow.Received;
import dev.ratchet.dataflow.query.ServedCircuit;
import dev.ratchet.dataflow.query.TableIntake;
import dev.ratchet.dataflow.query.WaitingBytes;
import dev.ratchet.dataflow.share.ViewReader;
import dev.ratchet.protocol.client.v1.AddRowsRequest;
import dev.ratchet.protocol.client.v1.AddedRows;
import dev.ratchet.protocol.client.v1.ProducerDescription;
import dev.ratchet.protocol.security.RetryAfter;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What clients are told over gRPC of rows that a circuit takes or refuses. */
class CircuitIntakeTest {

    private static final CompiledProgram PROGRAM = SqlProgram.compile("""
            CREATE TABLE orders (id INT);
            CREATE VIEW listed AS SELECT * FROM orders;
            """);
    private static final int ROOM_BYTES = 1_000;

    private final List<InputRequest> appended = new ArrayList<>();
    private CompletableFuture<Received> answer = CompletableFuture.completedFuture(new Received(7, "p7", false));
    private Optional<CompiledProgram> program = Optional.of(PROGRAM);

    private final TableIntake tables = new TableIntake(new Served(), new WaitingBytes(ROOM_BYTES));
    private final CircuitIntake intake = new CircuitIntake(() -> tables);

    /** A circuit whose log answers as the test says. */
    private final class Served implements ServedCircuit {
        @Override
        public Optional<CompiledProgram> program() {
            return program;
        }

        @Override
        public InputLog inputs() {
            return new InputLog() {
                @Override
                public CompletableFuture<Received> append(InputRequest request) {
                    appended.add(request);
                    return answer;
                }

                @Override
                public CompletableFuture<Received> received(String producer) {
                    return answer;
                }
            };
        }

        @Override
        public ViewReader views() {
            throw new IllegalStateException("not asked for");
        }

        @Override
        public DataflowStatus status() {
            return new DataflowStatus(
                    DataflowState.WAITING_FOR_WORKER,
                    "worker-1 is not up",
                    5,
                    2,
                    4,
                    "",
                    Map.of(),
                    0,
                    Map.of(),
                    Map.of(),
                    Map.of(),
                    0);
        }

        @Override
        public Optional<CircuitPicture> picture() {
            throw new IllegalStateException("not asked for");
        }

        @Override
        public CompletableFuture<Optional<String>> inputOf(long step) {
            throw new IllegalStateException("not asked for");
        }

        @Override
        public CompletableFuture<Long> lastStep() {
            throw new IllegalStateException("not asked for");
        }
    }

    private static AddRowsRequest request(String producer, String table, String lines) {
        return AddRowsRequest.newBuilder()
                .setProducer(producer)
                .setSequence(7)
                .addTables(AddedRows.newBuilder().setTable(table).setLines(ByteString.copyFromUtf8(lines)))
                .build();
    }

    private static Throwable failure(CompletableFuture<ProducerDescription> told) {
        return told.handle((description, failed) -> failed).join();
    }

    private static void assertRefused(
            CompletableFuture<ProducerDescription> told, Status.Code code, String... message) {
        Throwable failure = failure(told);
        assertThat(Status.fromThrowable(failure).getCode()).isEqualTo(code);
        assertThat(failure).hasMessageContainingAll(message);
    }

    @Test
    void rowsGoToTheTableOfTheirNameInAnyCase() {
        assertThat(intake.add(request("shop", "ORDERS", "{}")).join())
                .isEqualTo(ProducerDescription.newBuilder()
                        .setSequence(7)
                        .setPosition("p7")
                        .build());
        assertThat(appended)
                .singleElement()
                .extracting(request -> request.tables().getFirst().table())
                .isEqualTo("orders");
    }

    @Test
    void whatIsRefusedSaysWhyAndWhatToDoAndDoesNotReachTheLog() {
        assertRefused(
                intake.add(request("shop", "order", "{}")),
                Status.Code.INVALID_ARGUMENT,
                "There is no table 'order'",
                "Its tables are orders");
        assertRefused(
                intake.add(request("x".repeat(201), "orders", "{}")),
                Status.Code.INVALID_ARGUMENT,
                "has 201 characters",
                "up to 200");
        assertRefused(intake.received("a\nb"), Status.Code.INVALID_ARGUMENT, "without control characters");
        assertThat(failure(intake.add(request("", "orders", "{}"))))
                .hasMessageContaining("The request names no producer");
        program = Optional.empty();
        assertRefused(
                intake.add(request("shop", "orders", "{}")),
                Status.Code.UNAVAILABLE,
                "worker-1 is not up",
                "the circuit is WAITING_FOR_WORKER");
        assertThat(appended).isEmpty();
    }

    @Test
    void aCircuitThatIsBehindSaysWhenToComeAgain() {
        answer = CompletableFuture.failedFuture(new InputFullException("5 GiB wait for a step", 250));
        Throwable full = failure(intake.add(request("shop", "orders", "{}")));
        assertThat(full).hasMessageContaining("5 GiB wait for a step");
        assertThat(RetryAfter.millis(full)).hasValue(250);
    }

    @Test
    void whatIsBeingStoredTakesItsRoomUntilItIs() {
        CompletableFuture<Received> stored = new CompletableFuture<>();
        answer = stored;
        String lines = "{}\n".repeat(200);
        CompletableFuture<ProducerDescription> first = intake.add(request("shop", "orders", lines));
        assertRefused(
                intake.add(request("till", "orders", lines)),
                Status.Code.UNAVAILABLE,
                "Too many requests are being stored",
                "in a second");
        stored.complete(new Received(7, "p7", false));
        assertThat(first).isCompleted();
        assertThat(intake.add(request("till", "orders", lines))).isCompleted();
        assertThat(appended).hasSize(2);
    }
}
