/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.protocol.security.Identity.Kind;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenSecurityTest {

    private static final Identity OPERATOR = new Identity("team-a", "orders", Kind.OPERATOR, "ratchet-operator");

    @TempDir
    Path directory;

    @Test
    void theTokenOfTheFileOpensTheDoorAndAnotherDoesNot() throws Exception {
        TokenSecurity security = TokenSecurity.fromFile(token("right", "0123456789abcdef0123", "rw-------"), OPERATOR);
        try (CoordinatorStub server = new CoordinatorStub(security);
                LogLines log = new LogLines("dev.ratchet.protocol.security")) {
            assertThat(server.call(security, "orders-w-0.team-a.ratchet")).isEqualTo(7);
            assertThat(server.callers).containsExactly(OPERATOR);

            TokenSecurity stranger =
                    TokenSecurity.fromFile(token("wrong", "0123456789abcdef9999", "rw-------"), OPERATOR);
            assertThatThrownBy(() -> server.call(stranger, "orders-w-0.team-a.ratchet"))
                    .isInstanceOfSatisfying(StatusRuntimeException.class, refused -> assertThat(
                                    refused.getStatus().getCode())
                            .isEqualTo(Status.Code.UNAUTHENTICATED));
            assertThat(log.with("the token shown is not the one")).hasSize(1);
        }
    }

    @Test
    void aTokenFileThatOthersCanReadIsRefused() throws Exception {
        Path open = token("open", "0123456789abcdef0123", "rw-r-----");
        assertThatThrownBy(() -> TokenSecurity.fromFile(open, OPERATOR)).hasMessageContaining("chmod 600");
        Path brief = token("brief", "short", "rw-------");
        assertThatThrownBy(() -> TokenSecurity.fromFile(brief, OPERATOR)).hasMessageContaining("16 characters");
    }

    @Test
    void aTokenNeverLeavesTheMachine() throws Exception {
        TokenSecurity security = TokenSecurity.fromFile(token("right", "0123456789abcdef0123", "rw-------"), OPERATOR);
        assertThatThrownBy(() -> security.channelBuilder("192.0.2.1:7400", "x")).hasMessageContaining("loopback");
        assertThatThrownBy(() ->
                        security.serverBuilder(new InetSocketAddress("0.0.0.0", 0), CoordinatorStub.OPERATORS_ONLY))
                .hasMessageContaining("loopback");
    }

    private Path token(String name, String token, String permissions) throws IOException {
        Path file = directory.resolve(name);
        Files.writeString(file, token + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }
}
