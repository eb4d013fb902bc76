/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;

/**
 * What the groups of cases share: a server with the definition of gadgets, and a namespace that one case has for
 * itself.
 */
interface Cases {

    String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    Api api();

    String namespace();

    default String gadgets() {
        return "/apis/conformance.ratchet.dev/v1/namespaces/" + namespace() + "/gadgets";
    }

    /** The path of a core kind; leaves the case out where the server has none. */
    default String core(String plural) {
        needCoreKinds();
        return "/api/v1/namespaces/" + namespace() + "/" + plural;
    }

    default void needCoreKinds() {
        assumeTrue(api().servesCoreKinds(), "the server serves custom resources alone");
    }

    default Reply createGadget(String name, String spec) {
        Reply reply = api().post(gadgets(), gadget(name, spec));
        assertThat(reply.code()).as(reply.message()).isEqualTo(201);
        return reply;
    }

    static String gadget(String name, String spec) {
        return "{apiVersion: conformance.ratchet.dev/v1, kind: Gadget, metadata: {name: " + name + "}, spec: " + spec
                + "}";
    }

    default Reply createConfigMap(String name, String metadata) {
        Reply reply = api().post(
                        core("configmaps"),
                        "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name
                                + (metadata.isEmpty() ? "" : ", " + metadata) + "}, data: {a: b}}");
        assertThat(reply.code()).as(reply.message()).isEqualTo(201);
        return reply;
    }

    /** Waits for what controllers do in their own time. */
    default void eventuallyGone(String path) {
        await().atMost(Duration.ofSeconds(60)).until(() -> api().get(path).code() == 404);
    }
}
