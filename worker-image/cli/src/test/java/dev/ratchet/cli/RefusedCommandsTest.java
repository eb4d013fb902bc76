/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.protocol.security.CallerPolicy;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.protocol.security.TestAuthority;
import dev.ratchet.protocol.security.TestAuthority.Issued;
import dev.ratchet.protocol.security.TokenSecurity;
import dev.ratchet.protocol.security.TransportSecurity;
import dev.ratchet.protocol.store.v1.BackupGrpc;
import dev.ratchet.protocol.store.v1.StoreGrpc;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A command whose credential is not taken ends at once with one line that says who refused what, and why. */
@Timeout(60)
class RefusedCommandsTest {

    private static final Identity STORE = new Identity("team-a", "orders", Kind.STORE, "orders-store-0");
    private static final Identity WORKER = new Identity("team-a", "orders", Kind.WORKER, "orders-w-0");
    private static final Identity CLIENT = new Identity("team-a", "orders", Kind.CLIENT, "batch");
    private static final String CLIENTS_NAME = "orders-client.team-a.ratchet";

    private final TestAuthority authority = new TestAuthority("orders-ca");

    @TempDir
    Path directory;

    private Server server;
    private String said = "";

    @AfterEach
    void stop() {
        server.shutdownNow();
    }

    /** Nobody gets past its credentials to what it serves. */
    private void serve(TransportSecurity security) throws IOException {
        serve(security, new StoreGrpc.StoreImplBase() {}, new BackupGrpc.BackupImplBase() {});
    }

    private void serve(TransportSecurity security, BindableService... services) throws IOException {
        ServerBuilder<?> builder = security.serverBuilder(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new CallerPolicy("team-a", "orders", Map.of()));
        List.of(services).forEach(builder::addService);
        server = builder.build().start();
        Files.writeString(directory.resolve("cluster.json"), """
                {"cluster":"orders","namespace":"team-a",
                 "store":{"type":"Embedded","address":"%s","subspace":"team-a/orders"}}
                """.formatted(address()));
    }

    private void serveWithCertificate() throws IOException {
        Issued issued = authority.issue(STORE, CLIENTS_NAME);
        serve(MutualTls.fromPem(issued.certificate(), issued.key(), issued.authorities()));
    }

    private String address() {
        return "127.0.0.1:" + server.getPort();
    }

    private void refused(String message, String... arguments) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text, true);
        int exit = RatchetCommand.commandLine().setOut(out).setErr(out).execute(arguments);
        said = text.toString();
        assertThat(said).startsWith("ratchet: ").contains(address() + " ").contains(message);
        assertThat(said.strip().lines()).as("lines").hasSize(1);
        assertThat(exit).isEqualTo(1);
    }

    /** What is asked of a store, by a session and by a call of its own. */
    private void refusedByStore(String message, String option, Path credential) {
        String configuration = directory.toString();
        String backup = directory.resolve("backup").toString();
        refused(message, "keys", "--config-dir", configuration, option, credential.toString());
        refused(message, "store", "backup", backup, "--config-dir", configuration, option, credential.toString());
        assertThat(directory.resolve("backup")).doesNotExist();
    }

    private Path certificate(Issued issued) throws IOException {
        Path files = directory.resolve("tls");
        issued.writeTo(files);
        return files;
    }

    private Path token(String name, String token) throws IOException {
        Path file = Files.writeString(directory.resolve(name), token);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void certificatesThatTheStoreDoesNotTake() throws Exception {
        serveWithCertificate();
        Instant now = Instant.now();
        refusedByStore(
                "it expired on ",
                "--tls-dir",
                certificate(authority.issueUntil(WORKER, now.minus(Duration.ofHours(1)))));
        refusedByStore(
                "it is not valid before ",
                "--tls-dir",
                certificate(
                        authority.issueBetween(WORKER, now.plus(Duration.ofHours(1)), now.plus(Duration.ofHours(2)))));
        refusedByStore(
                "not by the authority in ca.crt",
                "--tls-dir",
                certificate(new TestAuthority("stranger-ca").issue(WORKER)));
    }

    @Test
    void aTokenForAStoreWithCertificates() throws Exception {
        serveWithCertificate();
        refusedByStore("wants TLS", "--token-file", token("token", "a token of sixteen characters"));
    }

    @Test
    void credentialsForAStoreWithAToken() throws Exception {
        serve(TokenSecurity.fromFile(token("token", "a token of sixteen characters"), STORE));
        refusedByStore("does not speak TLS", "--tls-dir", certificate(authority.issue(WORKER)));
        refusedByStore("refused the token of ", "--token-file", token("other", "another of sixteen characters"));
    }

    @Test
    void theAddressOfAnotherService() throws Exception {
        Path token = token("token", "a token of sixteen characters");
        serve(TokenSecurity.fromFile(token, STORE), new BindableService[0]);
        refusedByStore(" does not know ratchet.store.v1.", "--token-file", token);
    }

    @Test
    void connectionsThatNoWorkerTakes() throws Exception {
        serveWithCertificate();
        Instant now = Instant.now();
        refusedByWorker("it expired on ", authority.issueUntil(CLIENT, now.minus(Duration.ofHours(1))));
        refusedByWorker("not by the authority in ca.crt", new TestAuthority("stranger-ca").issue(CLIENT));
    }

    private void refusedByWorker(String message, Issued issued) throws IOException {
        Path connection = Files.writeString(
                directory.resolve("connection"),
                new ObjectMapper()
                        .writeValueAsString(Map.of(
                                "cluster", "orders",
                                "namespace", "team-a",
                                "authority", CLIENTS_NAME,
                                "endpoints", List.of(address()),
                                "certificate", issued.certificate(),
                                "key", issued.key(),
                                "authorities", issued.authorities())));
        refused(message, "futures", "list", "--timeout", "3600", "--connection", connection.toString());
    }
}
