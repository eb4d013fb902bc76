/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

/** Create, update and their refusals. */
interface WriteCases extends Cases {

    @Test
    default void aCreatedObjectHasIdentityDefaultsAndAGeneration() {
        Reply created = createGadget("a", "{color: red}");
        assertThat(created.at("/metadata/uid").asText()).hasSize(36);
        assertThat(created.version()).isNotEmpty();
        assertThat(created.at("/metadata/creationTimestamp").asText()).endsWith("Z");
        assertThat(created.at("/metadata/generation").asLong()).isEqualTo(1);
        assertThat(created.at("/metadata/namespace").asText()).isEqualTo(namespace());
        assertThat(created.at("/spec/replicas").asLong()).isEqualTo(1);
        assertThat(created.at("/spec/id").asText()).isEqualTo("none");
        assertThat(api().get(gadgets() + "/a").body()).isEqualTo(created.body());
    }

    @Test
    default void aNameCanBeTakenOnce() {
        createGadget("a", "{}");
        Reply again = api().post(gadgets(), Cases.gadget("a", "{}"));
        assertThat(again.code()).isEqualTo(409);
        assertThat(again.reason()).isEqualTo("AlreadyExists");
        assertThat(again.message()).isEqualTo("gadgets.conformance.ratchet.dev \"a\" already exists");
    }

    @Test
    default void anObjectNeedsItsNamespace() {
        needCoreKinds();
        Reply reply = api().post("/api/v1/namespaces/no-such-place/configmaps", "{metadata: {name: a}}");
        assertThat(reply.code()).isEqualTo(404);
        assertThat(reply.message()).isEqualTo("namespaces \"no-such-place\" not found");
    }

    @Test
    default void aNameIsGeneratedFromAPrefix() {
        Reply reply = api().post(core("configmaps"), "{metadata: {generateName: many-}}");
        assertThat(reply.code()).isEqualTo(201);
        assertThat(reply.at("/metadata/name").asText()).matches("many-[a-z0-9]{5}");
    }

    @Test
    default void aBadNameIsRefused() {
        Reply reply = api().post(gadgets(), Cases.gadget("Not_Good", "{}"));
        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.at("/details/causes/0/field").asText()).isEqualTo("metadata.name");
    }

    @Test
    default void aMissingObjectIsNotFound() {
        Reply reply = api().get(gadgets() + "/nobody");
        assertThat(reply.code()).isEqualTo(404);
        assertThat(reply.reason()).isEqualTo("NotFound");
        assertThat(reply.at("/details/name").asText()).isEqualTo("nobody");
        assertThat(reply.at("/details/kind").asText()).isEqualTo("gadgets");
    }

    @Test
    default void anUpdateOfAnOldVersionIsRefused() {
        Reply first = createGadget("a", "{}");
        api().patch("merge", gadgets() + "/a", "{spec: {replicas: 2}}");
        Reply late = api().put(gadgets() + "/a", first.body());
        assertThat(late.code()).isEqualTo(409);
        assertThat(late.reason()).isEqualTo("Conflict");
        assertThat(late.message()).contains("the object has been modified");
    }

    @Test
    default void aWriteThatChangesNothingKeepsTheVersion() {
        Reply first = createGadget("a", "{}");
        assertThat(api().put(gadgets() + "/a", first.body()).version()).isEqualTo(first.version());
        assertThat(api().patch("merge", gadgets() + "/a", "{spec: {replicas: 1}}")
                        .version())
                .isEqualTo(first.version());
    }

    @Test
    default void onlyTheSpecRaisesTheGeneration() {
        createGadget("a", "{}");
        assertThat(generation(api().patch("merge", gadgets() + "/a", "{metadata: {labels: {x: z}}}")))
                .isEqualTo(1);
        assertThat(generation(api().patch("merge", gadgets() + "/a/status", "{status: {replicas: 3}}")))
                .isEqualTo(1);
        assertThat(generation(api().patch("merge", gadgets() + "/a", "{spec: {replicas: 3}}")))
                .isEqualTo(2);
    }

    private static long generation(Reply reply) {
        return reply.at("/metadata/generation").asLong();
    }

    @Test
    default void statusIsWrittenOnlyThroughItsSubresource() {
        Reply created = api().post(
                        gadgets(),
                        "{apiVersion: conformance.ratchet.dev/v1, kind: Gadget, metadata: {name: a}, spec: {}, "
                                + "status: {replicas: 9}}");
        assertThat(created.body().has("status")).isFalse();
        assertThat(api().patch("merge", gadgets() + "/a", "{status: {replicas: 9}}")
                        .body()
                        .has("status"))
                .isFalse();
        Reply status = api().patch("merge", gadgets() + "/a/status", "{status: {replicas: 9}, spec: {replicas: 5}}");
        assertThat(status.at("/status/replicas").asLong()).isEqualTo(9);
        assertThat(status.at("/spec/replicas").asLong()).isEqualTo(1);
    }

    @Test
    default void aDryRunChangesNothing() {
        Reply dry = api().post(gadgets() + "?dryRun=All", Cases.gadget("a", "{}"));
        assertThat(dry.code()).isEqualTo(201);
        assertThat(api().get(gadgets() + "/a").code()).isEqualTo(404);
        Reply real = createGadget("a", "{}");
        Reply patched = api().patch("merge", gadgets() + "/a?dryRun=All", "{spec: {replicas: 4}}");
        assertThat(patched.at("/spec/replicas").asLong()).isEqualTo(4);
        assertThat(api().delete(gadgets() + "/a?dryRun=All").code()).isEqualTo(200);
        assertThat(api().get(gadgets() + "/a").body()).isEqualTo(real.body());
    }

    @Test
    default void identityDoesNotChangeByAnUpdate() {
        Reply created = createGadget("a", "{}");
        ObjectNode changed = created.body().deepCopy();
        ((ObjectNode) changed.path("metadata")).put("uid", "00000000-0000-0000-0000-000000000000");
        assertThat(api().put(gadgets() + "/a", changed).code()).isEqualTo(409);
        Reply renamed = api().put(gadgets() + "/b", created.body());
        assertThat(renamed.code()).isEqualTo(400);
    }

    @Test
    default void aServiceGetsAnAddressAndKeepsIt() {
        Reply created = api().post(core("services"), "{metadata: {name: s}, spec: {ports: [{port: 80}]}}");
        String address = created.at("/spec/clusterIP").asText();
        assertThat(address).matches("[0-9.]+");
        assertThat(created.at("/spec/ports/0/targetPort").asLong()).isEqualTo(80);
        assertThat(created.at("/spec/ports/0/protocol").asText()).isEqualTo("TCP");
        Reply updated = api().patch("merge", core("services") + "/s", "{spec: {ports: [{port: 81}]}}");
        assertThat(updated.at("/spec/clusterIP").asText()).isEqualTo(address);
        Reply headless =
                api().post(core("services"), "{metadata: {name: h}, spec: {clusterIP: None, ports: [{port: 80}]}}");
        assertThat(headless.at("/spec/clusterIP").asText()).isEqualTo("None");
    }

    @Test
    default void aSecretTakesTextAndKeepsBytes() {
        Reply created = api().post(core("secrets"), "{metadata: {name: s}, stringData: {a: hello}}");
        assertThat(created.at("/data/a").asText()).isEqualTo("aGVsbG8=");
        assertThat(created.body().has("stringData")).isFalse();
        assertThat(created.at("/type").asText()).isEqualTo("Opaque");
        assertThat(api().patch("merge", core("secrets") + "/s", "{type: other}").code())
                .isEqualTo(422);
    }

    @Test
    default void aPodIsFilledInAndHardlyChanges() {
        Reply created = api().post(
                        core("pods"),
                        "{metadata: {name: p}, spec: {nodeName: nowhere, automountServiceAccountToken: false, "
                                + "containers: [{name: c, image: 'a:1'}]}}");
        assertThat(created.code()).as(created.message()).isEqualTo(201);
        assertThat(created.at("/spec/restartPolicy").asText()).isEqualTo("Always");
        assertThat(created.at("/spec/terminationGracePeriodSeconds").asLong()).isEqualTo(30);
        assertThat(created.at("/spec/containers/0/imagePullPolicy").asText()).isEqualTo("IfNotPresent");
        assertThat(created.at("/status/phase").asText()).isEqualTo("Pending");
        assertThat(created.at("/status/qosClass").asText()).isEqualTo("BestEffort");
        Reply changed = api().patch("strategic", core("pods") + "/p", "{spec: {restartPolicy: Never}}");
        assertThat(changed.code()).isEqualTo(422);
        assertThat(changed.message()).contains("spec: Forbidden: pod updates may not change fields other than");
        Reply image = api().patch("strategic", core("pods") + "/p", "{spec: {containers: [{name: c, image: 'a:2'}]}}");
        assertThat(image.at("/spec/containers/0/image").asText()).isEqualTo("a:2");
    }

    @Test
    default void aPodWithoutContainersIsRefused() {
        Reply reply = api().post(core("pods"), "{metadata: {name: p}, spec: {containers: []}}");
        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message()).contains("spec.containers: Required value");
    }

    @Test
    default void eventsAreTheSameInBothTheirGroups() {
        needCoreKinds();
        Reply created = api().post(
                        "/apis/events.k8s.io/v1/namespaces/" + namespace() + "/events",
                        "{metadata: {name: e}, eventTime: '2026-01-01T00:00:00.000000Z', reportingController: "
                                + "a.b/c, reportingInstance: i, action: Do,"
                                + " reason: Because, type: Normal, note: words, regarding: {kind: Pod, name: p, "
                                + "namespace: "
                                + namespace() + "}}");
        assertThat(created.code()).as(created.message()).isEqualTo(201);
        Reply core = api().get(core("events") + "?fieldSelector=involvedObject.name=p");
        assertThat(core.at("/items/0/message").asText()).isEqualTo("words");
        assertThat(core.at("/items/0/involvedObject/kind").asText()).isEqualTo("Pod");
        assertThat(core.at("/items/0/reportingComponent").asText()).isEqualTo("a.b/c");
        assertThat(api().get(core("events") + "?fieldSelector=involvedObject.name=q")
                        .at("/items"))
                .isEmpty();
    }

    @Test
    default void nullSaysNothingInBuiltInKinds() {
        Reply created = api().post(
                        core("configmaps"),
                        "{metadata: {name: a, labels: null, creationTimestamp: " + "null}, data: null}");
        assertThat(created.code()).as(created.message()).isEqualTo(201);
        assertThat(created.body().has("data")).isFalse();
        assertThat(created.at("/metadata").has("labels")).isFalse();
    }

    @Test
    default void aBadLabelIsRefused() {
        Reply reply = api().post(core("configmaps"), "{metadata: {name: a, labels: {x: 'not good'}}}");
        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.at("/details/causes/0/field").asText()).startsWith("metadata.labels");
    }

    @Test
    default void aFieldOfTheWrongTypeIsRefused() {
        Reply reply = api().post(core("configmaps"), "{metadata: {name: a}, data: {k: {deep: er}}}");
        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.reason()).isEqualTo("BadRequest");
    }

    @Test
    default void theKindAndTheVersionMustBeThoseOfThePath() {
        Reply kind = api().post(core("configmaps"), "{apiVersion: v1, kind: Secret, metadata: {name: a}}");
        assertThat(kind.code()).isEqualTo(400);
        Reply elsewhere = api().post(core("configmaps"), "{metadata: {name: a, namespace: elsewhere}}");
        assertThat(elsewhere.code()).isEqualTo(400);
        assertThat(elsewhere.message())
                .isEqualTo(
                        "the namespace of the provided object does not match the " + "namespace sent on the request");
    }
}
