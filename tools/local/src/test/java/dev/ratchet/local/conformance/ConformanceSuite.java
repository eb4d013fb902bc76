/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ratchet.crds.Definitions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/**
 * All cases against one server. Each case has a namespace of its own, deleted after it; the definitions that the suite
 * brought go at the end. A subclass says which server: {@link #kubeconfig()} is asked once.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ConformanceSuite
        implements WriteCases, PatchCases, ApplyCases, SchemaCases, ReadCases, DeletionCases, ViewCases, ResourceCases {

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final long run = ProcessHandle.current().pid();
    private final List<String> brought = new ArrayList<>();
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

    @Override
    public boolean broughtTheDefinitions() {
        return brought.containsAll(Definitions.NAMES);
    }

    @BeforeAll
    void define() throws IOException {
        api = Api.of(kubeconfig());
        try (InputStream definition = ConformanceSuite.class.getResourceAsStream("gadgets.yaml")) {
            define("gadgets.conformance.ratchet.dev", new String(definition.readAllBytes(), StandardCharsets.UTF_8));
        }
        for (String name : Definitions.NAMES) {
            define(name, Definitions.yaml(name));
        }
        awaitServed("/apis/conformance.ratchet.dev/v1/gadgets");
        for (String name : Definitions.NAMES) {
            awaitServed("/apis/ratchet.dev/v1alpha1/" + name.substring(0, name.indexOf('.')));
        }
    }

    private void define(String name, String definition) {
        Reply reply = api.post(DEFINITIONS, definition);
        assertThat(reply.code())
                .as("the definition %s: %s", name, reply.message())
                .isIn(201, 409);
        if (reply.code() == 201) {
            brought.add(name);
        }
    }

    private void awaitServed(String path) {
        await(path).atMost(Duration.ofSeconds(60)).until(() -> api.get(path).code() == 200);
    }

    @AfterAll
    void removeDefinitions() throws IOException {
        for (String name : brought) {
            api.delete(DEFINITIONS + "/" + name);
            eventuallyGone(DEFINITIONS + "/" + name);
        }
        api.close();
        stop();
    }

    @BeforeEach
    void nextNamespace() {
        useNamespace("conformance-" + run + "-" + COUNT.incrementAndGet());
    }

    /** Makes the namespace, where there are any, and gives it to the case that comes next. */
    void useNamespace(String name) {
        namespace = name;
        if (api.servesCoreKinds()) {
            assertThat(api.post("/api/v1/namespaces", "{metadata: {name: " + namespace + "}}")
                            .code())
                    .isEqualTo(201);
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> api.get(core("serviceaccounts") + "/default").code() == 200);
        }
    }

    @AfterEach
    void removeNamespace() {
        if (api.servesCoreKinds()) {
            api.delete("/api/v1/namespaces/" + namespace);
        }
    }
}
