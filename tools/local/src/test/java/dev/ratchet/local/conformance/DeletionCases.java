/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Deletes, finalizers, owners, namespaces. */
interface DeletionCases extends Cases {

    private String owner(String name, String uid, boolean blocks) {
        return "ownerReferences: [{apiVersion: conformance.ratchet.dev/v1, kind: Gadget, name: " + name + ", uid: "
                + uid + ", blockOwnerDeletion: " + blocks + "}]";
    }

    @Test
    default void aDeletedObjectIsGone() {
        createGadget("a", "{}");
        Reply reply = api().delete(gadgets() + "/a");
        assertThat(reply.code()).isEqualTo(200);
        assertThat(reply.at("/status").asText()).isEqualTo("Success");
        assertThat(api().get(gadgets() + "/a").code()).isEqualTo(404);
        assertThat(api().delete(gadgets() + "/a").code()).isEqualTo(404);
    }

    @Test
    default void aDeleteMayNameWhichObjectItMeans() {
        Reply created = createGadget("a", "{}");
        Reply wrong = api().delete(gadgets() + "/a", "{preconditions: {uid: 00000000-0000-0000-0000-000000000000}}");
        assertThat(wrong.code()).isEqualTo(409);
        assertThat(wrong.reason()).isEqualTo("Conflict");
        Reply old = api().delete(gadgets() + "/a", "{preconditions: {resourceVersion: '1'}}");
        assertThat(old.code()).isEqualTo(409);
        String uid = created.at("/metadata/uid").asText();
        assertThat(api().delete(gadgets() + "/a", "{preconditions: {uid: " + uid + "}}")
                        .code())
                .isEqualTo(200);
    }

    @Test
    default void aFinalizerHoldsAnObject() {
        createGadget("a", "{}");
        api().patch("merge", gadgets() + "/a", "{metadata: {finalizers: [ratchet.dev/test]}}");
        Reply deleting = api().delete(gadgets() + "/a");
        assertThat(deleting.at("/metadata/deletionTimestamp").asText()).isNotEmpty();
        assertThat(api().get(gadgets() + "/a").at("/metadata/deletionTimestamp").asText())
                .isNotEmpty();
        Reply second = api().delete(gadgets() + "/a");
        assertThat(second.code()).isEqualTo(200);
        assertThat(api().patch("merge", gadgets() + "/a", "{metadata: {finalizers: null}}")
                        .code())
                .isEqualTo(200);
        assertThat(api().get(gadgets() + "/a").code()).isEqualTo(404);
    }

    @Test
    default void dependentsGoInTheBackground() {
        String uid = createGadget("a", "{}").at("/metadata/uid").asText();
        createConfigMap("owned", owner("a", uid, false));
        api().delete(gadgets() + "/a", "{propagationPolicy: Background}");
        eventuallyGone(core("configmaps") + "/owned");
    }

    @Test
    default void dependentsGoFirstInTheForeground() {
        String uid = createGadget("a", "{}").at("/metadata/uid").asText();
        createConfigMap("owned", owner("a", uid, true) + ", finalizers: [ratchet.dev/test]");
        Reply reply = api().delete(gadgets() + "/a", "{propagationPolicy: Foreground}");
        assertThat(reply.at("/metadata/finalizers").toString()).contains("foregroundDeletion");
        await().atMost(Duration.ofSeconds(60)).until(() -> !api().get(core("configmaps") + "/owned")
                .at("/metadata/deletionTimestamp")
                .asText()
                .isEmpty());
        assertThat(api().get(gadgets() + "/a").code()).isEqualTo(200);
        api().patch("merge", core("configmaps") + "/owned", "{metadata: {finalizers: null}}");
        eventuallyGone(core("configmaps") + "/owned");
        eventuallyGone(gadgets() + "/a");
    }

    @Test
    default void dependentsCanBeLeftBehind() {
        String uid = createGadget("a", "{}").at("/metadata/uid").asText();
        createConfigMap("owned", owner("a", uid, false));
        api().delete(gadgets() + "/a", "{propagationPolicy: Orphan}");
        eventuallyGone(gadgets() + "/a");
        Reply left = api().get(core("configmaps") + "/owned");
        assertThat(left.code()).isEqualTo(200);
        assertThat(left.at("/metadata").has("ownerReferences")).isFalse();
    }

    @Test
    default void aDependentOfTwoOwnersStaysForTheSecond() {
        String first = createGadget("a", "{}").at("/metadata/uid").asText();
        String second = createGadget("b", "{}").at("/metadata/uid").asText();
        createConfigMap(
                "owned",
                "ownerReferences: [{apiVersion: conformance.ratchet.dev/v1, kind: Gadget, name: a, uid: " + first
                        + "}, {apiVersion: conformance.ratchet.dev/v1, kind: Gadget, name: b, uid: " + second + "}]");
        createConfigMap("witness", owner("a", first, false));
        api().delete(gadgets() + "/a");
        eventuallyGone(core("configmaps") + "/witness");
        assertThat(api().get(core("configmaps") + "/owned").code()).isEqualTo(200);
        api().delete(gadgets() + "/b");
        eventuallyGone(core("configmaps") + "/owned");
    }

    @Test
    default void aCollectionIsDeletedBySelector() {
        createConfigMap("a", "labels: {go: 'yes'}");
        createConfigMap("b", "labels: {go: 'no'}");
        assertThat(api().delete(core("configmaps") + "?labelSelector=go%3Dyes").code())
                .isEqualTo(200);
        assertThat(api().get(core("configmaps") + "/a").code()).isEqualTo(404);
        assertThat(api().get(core("configmaps") + "/b").code()).isEqualTo(200);
    }

    @Test
    default void aNamespaceTakesItsContentWithIt() {
        needCoreKinds();
        String doomed = namespace() + "-doomed";
        assertThat(api().post("/api/v1/namespaces", "{metadata: {name: " + doomed + "}}")
                        .code())
                .isEqualTo(201);
        String place = "/apis/conformance.ratchet.dev/v1/namespaces/" + doomed + "/gadgets";
        assertThat(api().post(place, Cases.gadget("a", "{}")).code()).isEqualTo(201);
        api().patch("merge", place + "/a", "{metadata: {finalizers: [ratchet.dev/test]}}");
        Reply deleting = api().delete("/api/v1/namespaces/" + doomed);
        assertThat(deleting.code()).isEqualTo(200);
        assertThat(api().get("/api/v1/namespaces/" + doomed).at("/status/phase").asText())
                .isEqualTo("Terminating");
        Reply refused = api().post(place, Cases.gadget("b", "{}"));
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message()).contains("because it is being terminated");
        assertThat(refused.at("/details/causes/0/reason").asText()).isEqualTo("NamespaceTerminating");
        assertThat(api().post(place + "?dryRun=All", Cases.gadget("b", "{}")).code())
                .isEqualTo(403);
        await().atMost(Duration.ofSeconds(60)).until(() -> !api().get(place + "/a")
                .at("/metadata/deletionTimestamp")
                .asText()
                .isEmpty());
        api().patch("merge", place + "/a", "{metadata: {finalizers: null}}");
        eventuallyGone("/api/v1/namespaces/" + doomed);
    }

    @Test
    default void aPodOnANodeWaitsForTheNodeToLetItGo() {
        api().post(
                        core("pods"),
                        "{metadata: {name: p}, spec: {nodeName: nowhere, automountServiceAccountToken: false, "
                                + "terminationGracePeriodSeconds: 1000,"
                                + " containers: [{name: c, image: 'a:1'}]}}");
        Reply deleting = api().delete(core("pods") + "/p");
        assertThat(deleting.at("/metadata/deletionGracePeriodSeconds").asLong()).isEqualTo(1000);
        assertThat(api().get(core("pods") + "/p").code()).isEqualTo(200);
        assertThat(api().delete(core("pods") + "/p", "{gracePeriodSeconds: 0}").code())
                .isEqualTo(200);
        eventuallyGone(core("pods") + "/p");
    }
}
