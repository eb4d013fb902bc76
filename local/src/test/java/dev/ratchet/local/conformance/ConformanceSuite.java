/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/**
 * All cases against one server. Each case has a namespace of its own, deleted after it; the definition of gadgets goes
 * at the end. A subclass says which server: {@link #kubeconfig()} is asked once.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ConformanceSuite
        implements WriteCases, PatchCases, ApplyCases, SchemaCases, ReadCases, DeletionCases, ViewCases {

    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String GADGETS = DEFINITIONS + "/gadgets.conformance.ratchet.dev";

    private final AtomicInteger count = new AtomicInteger();
    private final long run = ProcessHandle.current().pid();
    private Api api;
    private String namespace = "";

    protected abstract Path kubeconfig() throws IOException;

    /** Called after the last case. */
    protected void stop() throws IOException {}

    @Override
    public Api api() {
        return api;
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @BeforeAll
    void defineGadgets() throws IOException {
        api = Api.of(kubeconfig());
        try (InputStream definition = ConformanceSuite.class.getResourceAsStream("gadgets.yaml")) {
            Reply reply = api.post(DEFINITIONS, new String(definition.readAllBytes(), StandardCharsets.UTF_8));
            assertThat(reply.code()).as(reply.message()).isIn(201, 409);
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> api.get("/apis/conformance.ratchet.dev/v1/gadgets").code() == 200);
    }

    @AfterAll
    void removeGadgets() throws IOException {
        api.delete(GADGETS);
        eventuallyGone(GADGETS);
        api.close();
        stop();
    }

    @BeforeEach
    void makeNamespace() {
        namespace = "conformance-" + run + "-" + count.incrementAndGet();
        assertThat(api.post("/api/v1/namespaces", "{metadata: {name: " + namespace + "}}")
                        .code())
                .isEqualTo(201);
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> api.get(core("serviceaccounts") + "/default").code() == 200);
    }

    @AfterEach
    void removeNamespace() {
        api.delete("/api/v1/namespaces/" + namespace);
    }
}
