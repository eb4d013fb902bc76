/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.local.conformance.Api;
import dev.ratchet.local.conformance.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only the stand-in promises: who gets in, what it writes, how it fails, and the limits of its memory. */
class ApiServerTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** So many changes are kept. */
    private static final int CHANGES = 4;

    @TempDir
    Path folder;

    private ApiServer server;
    private Api api;

    @BeforeEach
    void start() throws IOException {
        server = ApiServer.start(
                ApiServerOptions.at(folder.resolve("deep/down/kubeconfig")).withWatchHistory(CHANGES));
        api = Api.of(server.kubeconfig());
    }

    @AfterEach
    void stop() throws IOException {
        api.close();
        server.close();
    }

    private java.net.http.HttpResponse<String> withoutToken(String path, boolean trustsAuthority) throws Exception {
        SSLContext tls = trustsAuthority ? trusting() : SSLContext.getDefault();
        try (var client = java.net.http.HttpClient.newBuilder().sslContext(tls).build()) {
            return client.send(
                    java.net.http.HttpRequest.newBuilder(URI.create(server.address() + path))
                            .build(),
                    java.net.http.HttpResponse.BodyHandlers.ofString());
        }
    }

    private SSLContext trusting() throws Exception {
        JsonNode config = JSON.readTree(Files.readString(server.kubeconfig()));
        String pem = config.at("/clusters/0/cluster/certificate-authority-data").asText();
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream in =
                new java.io.ByteArrayInputStream(Base64.getDecoder().decode(pem))) {
            trusted.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, managers.getTrustManagers(), null);
        return tls;
    }

    @Test
    void theKubeconfigIsOnlyForItsOwner() throws IOException {
        assertThat(server.kubeconfig()).isAbsolute();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(server.kubeconfig())))
                .isEqualTo("rw-------");
        assertThat(server.address().toString()).startsWith("https://127.0.0.1:");
    }

    @Test
    void nobodyGetsInWithoutTheToken() throws Exception {
        for (String path : List.of("/api", "/apis", "/version", "/api/v1/secrets", "/openapi/v2", "/nothing")) {
            var response = withoutToken(path, true);
            assertThat(response.statusCode()).as(path).isEqualTo(401);
            assertThat(JSON.readTree(response.body()).at("/reason").asText()).isEqualTo("Unauthorized");
        }
        assertThat(withoutToken("/livez", true).body()).isEqualTo("ok");
        assertThat(withoutToken("/readyz", true).statusCode()).isEqualTo(200);
    }

    /** The body never comes: whoever waited for it would wait as long as the client likes. */
    @Test
    void whoHasNoTokenIsRefusedBeforeItsBodyIsRead() throws Exception {
        try (var socket = (javax.net.ssl.SSLSocket) trusting()
                .getSocketFactory()
                .createSocket("127.0.0.1", server.address().getPort())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream()
                    .write(String.join(
                                    "\r\n",
                                    "POST /api/v1/namespaces/default/secrets HTTP/1.1",
                                    "Host: x",
                                    "Content-Length: 3000000",
                                    "",
                                    "")
                            .getBytes(StandardCharsets.US_ASCII));
            var reply = new java.io.BufferedReader(
                    new java.io.InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            assertThat(reply.readLine()).startsWith("HTTP/1.1 401");
        }
    }

    @Test
    void whoDoesNotKnowTheAuthorityDoesNotConnect() {
        assertThatThrownBy(() -> withoutToken("/livez", false)).isInstanceOf(SSLHandshakeException.class);
    }

    @Test
    void itListensOnLoopbackOnly() throws IOException {
        int port = server.address().getPort();
        assertThatThrownBy(() -> {
                    // Another address of the loopback network reaches what listens everywhere, but not this.
                    try (var socket = new java.net.Socket(InetAddress.getByName("127.0.0.2"), port)) {
                        socket.getInputStream();
                    }
                })
                .isInstanceOf(IOException.class);
    }

    @Test
    void aTakenPortIsAnErrorThatNamesIt() {
        int port = server.address().getPort();
        assertThatThrownBy(() -> ApiServer.start(
                        ApiServerOptions.at(folder.resolve("other")).withPort(port)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("port " + port);
        assertThat(folder.resolve("other")).doesNotExist();
    }

    @Test
    void aWatchFromBeforeWhatIsKeptIsTold() {
        String path = "/api/v1/namespaces/default/configmaps";
        api.post(path, "{metadata: {name: a}}");
        String old = api.get(path).version();
        for (int i = 0; i < 6; i++) {
            api.patch("merge", path + "/a", "{data: {n: '" + i + "'}}");
        }
        List<JsonNode> events = api.watch(path + "?resourceVersion=" + old);
        assertThat(events).hasSize(1);
        assertThat(events.get(0).path("type").asText()).isEqualTo("ERROR");
        assertThat(events.get(0).at("/object/code").asInt()).isEqualTo(410);
        assertThat(events.get(0).at("/object/reason").asText()).isEqualTo("Expired");
    }

    /** The time of the watch is over before the first of the changes that it was asked for has been read. */
    @Test
    void whatHasHappenedBeforeAWatchIsToldWholeHoweverSlowItsReaderIs() throws Exception {
        String path = "/api/v1/namespaces/default/configmaps";
        api.post(path, "{metadata: {name: a}}");
        String old = api.get(path).version();
        for (int i = 0; i < CHANGES; i++) {
            String large = String.valueOf((char) ('a' + i)).repeat(2_900_000);
            assertThat(api.patch("merge", path + "/a", "{data: {n: '" + large + "'}}")
                            .code())
                    .isEqualTo(200);
        }
        JsonNode config = JSON.readTree(Files.readString(server.kubeconfig()));
        try (var socket =
                (javax.net.ssl.SSLSocket) trusting().getSocketFactory().createSocket()) {
            socket.setReceiveBufferSize(1 << 16);
            socket.connect(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), server.address().getPort()));
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(String.join(
                                    "\r\n",
                                    "GET " + path + "?watch=true&timeoutSeconds=1&resourceVersion=" + old + " HTTP/1.1",
                                    "Host: x",
                                    "Authorization: Bearer "
                                            + config.at("/users/0/user/token").asText(),
                                    "Connection: close",
                                    "",
                                    "")
                            .getBytes(StandardCharsets.US_ASCII));
            InputStream reply = socket.getInputStream();
            assertThat(reply.read()).as("the first byte of the answer").isEqualTo('H');
            // Slower than the time of the watch, which is a second.
            TimeUnit.MILLISECONDS.sleep(1_500);
            String events = new String(reply.readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(Pattern.compile("MODIFIED").matcher(events).results())
                    .as("changes that are told")
                    .hasSize(CHANGES);
        }
    }

    @Test
    void aVersionThatIsNotThereYetIsRefused() {
        assertThat(api.get("/api/v1/namespaces?resourceVersion=999999").code()).isEqualTo(504);
    }

    @Test
    void initialEventsEndWithABookmark() {
        List<JsonNode> events = api.watch(
                "/api/v1/namespaces?sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan");
        assertThat(events)
                .extracting(event -> event.path("type").asText())
                .startsWith("ADDED", "ADDED", "ADDED", "BOOKMARK");
        assertThat(events.get(3)
                        .at("/object/metadata/annotations/k8s.io~1initial-events-end")
                        .asText())
                .isEqualTo("true");
    }

    @Test
    void aLostContinueTokenIsExpired() {
        Reply reply = api.get("/api/v1/namespaces?limit=1&continue="
                + Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString("{\"id\":99,\"from\":1}".getBytes(StandardCharsets.UTF_8)));
        assertThat(reply.code()).isEqualTo(410);
        assertThat(api.get("/api/v1/namespaces?continue=rubbish!").code()).isEqualTo(400);
    }

    @Test
    void aBodyThatIsNoObjectOrTooLargeIsRefused() {
        String path = "/api/v1/namespaces/default/configmaps";
        assertThat(api.send("POST", path, "application/json", "{\"a\":", "application/json")
                        .code())
                .isEqualTo(400);
        assertThat(api.send("POST", path, "application/json", "[1]", "application/json")
                        .code())
                .isEqualTo(400);
        assertThat(api.send("POST", path, "application/vnd.kubernetes.protobuf", "k8s", "application/json")
                        .code())
                .isEqualTo(400);
        String large = "{\"metadata\":{\"name\":\"a\"},\"data\":{\"a\":\"" + "x".repeat(3_200_000) + "\"}}";
        assertThat(api.send("POST", path, "application/json", large, "application/json")
                        .code())
                .isEqualTo(413);
    }

    @Test
    void aDisruptionBudgetHoldsBackAnEviction() {
        String base = "/api/v1/namespaces/default/pods";
        api.post(
                "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
                "{metadata: {name: b}, spec: {minAvailable: 1, selector: {matchLabels: {app: a}}}}");
        for (String name : List.of("p", "q")) {
            api.post(
                    base,
                    "{metadata: {name: " + name + ", labels: {app: a}}, spec: {containers: [{name: c, image: i}]}}");
            api.patch(
                    "merge", base + "/" + name + "/status", "{status: {conditions: [{type: Ready, status: 'True'}]}}");
        }
        assertThat(api.post(base + "/p/eviction", "{apiVersion: policy/v1, kind: Eviction, metadata: {name: p}}")
                        .code())
                .isEqualTo(201);
        assertThat(api.get(base + "/p").code()).isEqualTo(404);
        Reply held = api.post(base + "/q/eviction", "{apiVersion: policy/v1, kind: Eviction, metadata: {name: q}}");
        assertThat(held.code()).isEqualTo(429);
        assertThat(api.get(base + "/q").code()).isEqualTo(200);
    }

    @Test
    void aServiceMadeAnewGetsItsOldAddress() {
        String path = "/api/v1/namespaces/default/services";
        String service = "{metadata: {name: s}, spec: {ports: [{port: 80}]}}";
        String first = api.post(path, service).at("/spec/clusterIP").asText();
        api.delete(path + "/s");
        String second = api.post(path, service).at("/spec/clusterIP").asText();
        assertThat(second).isEqualTo(first).startsWith("127.");
        int third = Integer.parseInt(first.split("\\.", -1)[1]);
        assertThat(third).isBetween(96, 111);
    }

    @Test
    void aDefinitionGoesWithItsObjects() {
        String definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        api.post(
                definitions,
                "{metadata: {name: things.example.org}, spec: {group: example.org, scope: Namespaced, names: "
                        + "{kind: Thing, plural: things},"
                        + " versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: "
                        + "object}}}]}}");
        String things = "/apis/example.org/v1/namespaces/default/things";
        assertThat(api.post(things, "{metadata: {name: a}}").code()).isEqualTo(201);
        assertThat(api.delete(definitions + "/things.example.org").code()).isEqualTo(200);
        org.awaitility.Awaitility.await()
                .atMost(java.time.Duration.ofSeconds(60))
                .until(() -> api.get(definitions + "/things.example.org").code() == 404);
        assertThat(api.get(things).code()).isEqualTo(404);
    }

    @Test
    void aRuleThatIsNoCelIsRefusedWithItsPlace() {
        Reply reply = api.post(
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                "{metadata: {name: things.example.org}, spec: {group: example.org, scope: Namespaced, names: "
                        + "{kind: Thing, plural: things},"
                        + " versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object,"
                        + " x-kubernetes-validations: [{rule: 'self.a ==='}]}}}]}}");
        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message()).contains("x-kubernetes-validations[0].rule").contains("compilation failed");
    }
}
