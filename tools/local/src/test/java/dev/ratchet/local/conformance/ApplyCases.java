/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** Server-side apply and field ownership. */
interface ApplyCases extends Cases {

    String LISTS_ARE_ATOMIC =
            "Kubernetes 1.20 applies every list of a custom resource as one field, whatever its definition says";

    private Reply apply(String manager, String spec) {
        return api().patch("apply", gadgets() + "/a?fieldManager=" + manager, Cases.gadget("a", spec));
    }

    @Test
    default void applyCreatesThenKeepsWhatDoesNotChange() {
        Reply created = apply("one", "{color: red}");
        assertThat(created.code()).as(created.message()).isEqualTo(201);
        Reply again = apply("one", "{color: red}");
        assertThat(again.code()).isEqualTo(200);
        assertThat(again.version()).isEqualTo(created.version());
    }

    @Test
    default void applyRecordsWhoOwnsWhat() {
        assumeTrue(api().isAtLeast(22), LISTS_ARE_ATOMIC);
        Reply reply = apply("one", "{color: red, parts: [{name: p}]}");
        JsonNode entry = reply.at("/metadata/managedFields/0");
        assertThat(entry.path("manager").asText()).isEqualTo("one");
        assertThat(entry.path("operation").asText()).isEqualTo("Apply");
        JsonNode spec = entry.path("fieldsV1").path("f:spec");
        assertThat(spec.has("f:color")).isTrue();
        assertThat(spec.has("f:replicas"))
                .as("defaults belong to nobody who applies")
                .isFalse();
        assertThat(spec.path("f:parts").path("k:{\"name\":\"p\"}").has("f:name"))
                .isTrue();
    }

    @Test
    default void aFieldOfAnotherManagerIsAConflictUnlessForced() {
        apply("one", "{color: red}");
        Reply conflict = apply("two", "{color: green}");
        assertThat(conflict.code()).isEqualTo(409);
        assertThat(conflict.reason()).isEqualTo("Conflict");
        assertThat(conflict.message()).contains("conflict with \"one\"").contains(".spec.color");
        assertThat(conflict.at("/details/causes/0/field").asText()).isEqualTo(".spec.color");
        Reply forced =
                api().patch("apply", gadgets() + "/a?fieldManager=two&force=true", Cases.gadget("a", "{color: green}"));
        assertThat(forced.code()).isEqualTo(200);
        assertThat(forced.at("/spec/color").asText()).isEqualTo("green");
        assertThat(apply("one", "{color: red}").code()).isEqualTo(409);
    }

    @Test
    default void theSameValueIsSharedAndStaysUntilBothLetGo() {
        apply("one", "{color: red, code: abc}");
        assertThat(apply("two", "{color: red}").code()).isEqualTo(200);
        assertThat(apply("one", "{code: abc}").at("/spec/color").asText()).isEqualTo("red");
        assertThat(apply("two", "{}").body().path("spec").has("color")).isFalse();
    }

    @Test
    default void aFieldNoLongerAppliedGoes() {
        apply("one", "{color: red, labels: {x: '1', y: '2'}, parts: [{name: p}, {name: q}], tags: [s, t]}");
        Reply reply = apply("one", "{labels: {y: '2'}, parts: [{name: q}], tags: [t]}");
        JsonNode spec = reply.body().path("spec");
        assertThat(spec.has("color")).isFalse();
        assertThat(spec.path("labels").toString()).isEqualTo("{\"y\":\"2\"}");
        assertThat(spec.path("parts").findValuesAsText("name")).containsExactly("q");
        assertThat(spec.path("tags").toString()).isEqualTo("[\"t\"]");
    }

    @Test
    default void managersMergeListsByKeyAndSetsByValue() {
        assumeTrue(api().isAtLeast(22), LISTS_ARE_ATOMIC);
        apply("one", "{parts: [{name: p}], tags: [s]}");
        Reply both = apply("two", "{parts: [{name: q, count: 5}], tags: [t]}");
        assertThat(both.at("/spec/parts").findValuesAsText("name")).containsExactlyInAnyOrder("p", "q");
        assertThat(both.at("/spec/tags")).hasSize(2);
        Reply one = apply("one", "{}");
        assertThat(one.at("/spec/parts").findValuesAsText("name")).containsExactly("q");
        assertThat(one.at("/spec/parts/0/count").asLong()).isEqualTo(5);
    }

    @Test
    default void anAtomicListIsOneField() {
        apply("one", "{order: [x, y]}");
        assertThat(apply("two", "{order: [z]}").code()).isEqualTo(409);
        assertThat(apply("one", "{order: [z]}").at("/spec/order").toString()).isEqualTo("[\"z\"]");
    }

    @Test
    default void anUpdateTakesFieldsOver() {
        apply("one", "{color: red}");
        api().patch("merge", gadgets() + "/a?fieldManager=person", "{spec: {color: green}}");
        Reply conflict = apply("one", "{color: red}");
        assertThat(conflict.code()).isEqualTo(409);
        assertThat(conflict.message()).contains("\"person\"");
    }

    @Test
    default void statusHasOwnersOfItsOwn() {
        apply("one", "{color: red}");
        Reply status = api().patch(
                        "apply",
                        gadgets() + "/a/status?fieldManager=one&force=true",
                        "{apiVersion: conformance.ratchet.dev/v1, kind: Gadget, metadata: {name: a},"
                                + " status: {replicas: 2, conditions: [{type: Ready, status: 'True'}]}}");
        assertThat(status.code()).as(status.message()).isEqualTo(200);
        assertThat(status.at("/status/replicas").asLong()).isEqualTo(2);
        assertThat(status.at("/spec/color").asText()).isEqualTo("red");
        assertThat(apply("one", "{color: red}").at("/status/replicas").asLong()).isEqualTo(2);
    }

    @Test
    default void applyNeedsAManager() {
        Reply reply = api().patch("apply", gadgets() + "/a", Cases.gadget("a", "{}"));
        assertThat(reply.code()).isBetween(400, 422);
        assertThat(reply.message()).contains("fieldManager").contains("required");
    }

    @Test
    default void applyMergesContainersAndPortsOfPodsByTheirKeys() {
        String pod = "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {automountServiceAccountToken: false, "
                + "containers: ";
        String path = core("pods") + "/p?fieldManager=one";
        Reply created = api().patch(
                        "apply",
                        path,
                        pod + "[{name: c, image: 'a:1', ports: [{containerPort: 80}], env: [{name: A, value: x}]}]}}");
        assertThat(created.code()).as(created.message()).isEqualTo(201);
        Reply again = api().patch(
                        "apply",
                        path,
                        pod + "[{name: c, image: 'a:1', ports: [{containerPort: 80}], env: [{name: A, value: x}]}]}}");
        assertThat(again.version()).isEqualTo(created.version());
        Reply other = api().patch("apply", core("pods") + "/p?fieldManager=two", pod + "[{name: c, image: 'a:2'}]}}");
        assertThat(other.code()).isEqualTo(409);
        assertThat(other.message()).contains(".spec.containers[name=\"c\"].image");
    }

    @Test
    default void applyToAnOldVersionIsRefused() {
        Reply created = apply("one", "{color: red}");
        apply("one", "{color: green}");
        Reply late = api().patch(
                        "apply",
                        gadgets() + "/a?fieldManager=one",
                        "{apiVersion: conformance.ratchet.dev/v1, kind: Gadget, metadata: {name: a, resourceVersion: '"
                                + created.version() + "'}, spec: {color: red}}");
        assertThat(late.code()).isEqualTo(409);
    }

    @Test
    default void labelsOfOthersAreKept() {
        createGadget("a", "{}");
        api().patch("merge", gadgets() + "/a?fieldManager=person", "{metadata: {labels: {mine: x}}}");
        Reply reply = api().patch(
                        "apply",
                        gadgets() + "/a?fieldManager=one",
                        "{apiVersion: conformance.ratchet.dev/v1, kind: Gadget, metadata: {name: a, labels: "
                                + "{yours: z}}}");
        assertThat(reply.at("/metadata/labels").toString()).isEqualTo("{\"mine\":\"x\",\"yours\":\"z\"}");
    }
}
