/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.HelloRequest;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class LocalGatewayTest {

    /** Each isolated process makes a connection, whose warnings would be in its task's log and its worker's. */
    @Test
    void aConnectionIsNoReasonToWarnOnEitherSide(@TempDir Path directory) throws Exception {
        Logger grpc = (Logger) LoggerFactory.getLogger("io.grpc");
        ListAppender<ILoggingEvent> warnings = new ListAppender<>();
        warnings.start();
        grpc.addAppender(warnings);
        String socket = directory.resolve("gateway").toString();
        LocalGateway gateway = new LocalGateway(socket, new GatewayGrpc.GatewayImplBase() {}, Runnable::run);
        ManagedChannel channel = LocalGateway.dial(socket);
        try {
            assertThatThrownBy(() -> GatewayGrpc.newBlockingStub(channel).hello(HelloRequest.getDefaultInstance()))
                    .as("the answer of a gateway without services")
                    .isInstanceOf(StatusRuntimeException.class)
                    .hasMessageContaining("UNIMPLEMENTED");
        } finally {
            channel.shutdownNow();
            gateway.close();
            grpc.detachAppender(warnings);
        }

        assertThat(warnings.list).extracting(ILoggingEvent::getFormattedMessage).isEmpty();
    }
}
