/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The three patches that are no apply. */
interface PatchCases extends Cases {

    @Test
    default void aMergePatchRemovesByNull() {
        createGadget("a", "{color: red, labels: {x: '1', y: '2'}}");
        Reply reply = api().patch("merge", gadgets() + "/a", "{spec: {color: null, labels: {x: null, z: '3'}}}");
        assertThat(reply.code()).isEqualTo(200);
        assertThat(reply.body().path("spec").has("color")).isFalse();
        assertThat(reply.at("/spec/labels").toString()).isEqualTo("{\"y\":\"2\",\"z\":\"3\"}");
    }

    @Test
    default void aMergePatchReplacesLists() {
        createGadget("a", "{parts: [{name: p}, {name: q}]}");
        Reply reply = api().patch("merge", gadgets() + "/a", "{spec: {parts: [{name: r}]}}");
        assertThat(reply.at("/spec/parts")).hasSize(1);
        assertThat(reply.at("/spec/parts/0/count").asLong()).isEqualTo(1);
    }

    @Test
    default void aJsonPatchDoesAllOrNothing() {
        createGadget("a", "{order: [x, y]}");
        Reply reply = api().patch(
                        "json",
                        gadgets() + "/a",
                        "[{op: test, path: /spec/order/0, value: x}, {op: add, path: /spec/order/1, value: n}, "
                                + "{op: remove, path: /spec/order/0},"
                                + " {op: copy, from: /spec/order/0, path: /spec/order/-}, {op: replace, path: "
                                + "/spec/replicas, value: 2}]");
        assertThat(reply.code()).as(reply.message()).isEqualTo(200);
        assertThat(reply.at("/spec/order").toString()).isEqualTo("[\"n\",\"y\",\"n\"]");
        Reply failed = api().patch(
                        "json",
                        gadgets() + "/a",
                        "[{op: replace, path: /spec/replicas, value: 3}, {op: test, path: /spec/order/0, value: x}]");
        assertThat(failed.code()).isEqualTo(422);
        assertThat(api().get(gadgets() + "/a").at("/spec/replicas").asLong()).isEqualTo(2);
    }

    @Test
    default void aPatchThatNamesAnOldVersionIsRefused() {
        Reply first = createGadget("a", "{}");
        api().patch("merge", gadgets() + "/a", "{spec: {replicas: 2}}");
        Reply late = api().patch(
                        "merge",
                        gadgets() + "/a",
                        "{metadata: {resourceVersion: '" + first.version() + "'}, spec: {replicas: 3}}");
        assertThat(late.code()).isEqualTo(409);
    }

    @Test
    default void aStrategicPatchMergesListsByKey() {
        api().post(
                        core("services"),
                        "{metadata: {name: s}, spec: {ports: [{name: a, port: 80}, {name: b, port: 81}]}}");
        Reply changed = api().patch(
                        "strategic",
                        core("services") + "/s",
                        "{spec: {ports: [{port: 81, name: c}, {port: 82, name: d}]}}");
        assertThat(changed.code()).as(changed.message()).isEqualTo(200);
        assertThat(changed.at("/spec/ports").findValuesAsText("name")).containsExactlyInAnyOrder("a", "c", "d");
        Reply less = api().patch(
                        "strategic",
                        core("services") + "/s",
                        "{spec: {ports: [{port: 80, $patch: delete}, {port: 82, $patch: delete}]}}");
        assertThat(less.at("/spec/ports").findValuesAsText("name")).containsExactly("c");
    }

    @Test
    default void aCustomResourceTakesNoStrategicPatch() {
        createGadget("a", "{}");
        assertThat(api().patch("strategic", gadgets() + "/a", "{spec: {replicas: 2}}")
                        .code())
                .isEqualTo(415);
    }

    @Test
    default void aPatchOfNothingIsNotFound() {
        assertThat(api().patch("merge", gadgets() + "/nobody", "{spec: {}}").code())
                .isEqualTo(404);
    }
}
