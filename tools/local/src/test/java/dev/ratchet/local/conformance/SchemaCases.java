/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the schema of a definition accepts, fills in, drops and refuses. */
interface SchemaCases extends Cases {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{replicas: 11}             | spec.replicas | spec.replicas in body should be less than or equal to 10",
                "{replicas: -1}             | spec.replicas | spec.replicas in body should be greater than or "
                        + "equal to 0",
                "{replicas: many}           | spec.replicas | spec.replicas in body must be of type integer: "
                        + "\"string\"",
                "{color: blue}              | spec.color    | Unsupported value: \"blue\": supported values: "
                        + "\"red\", \"green\"",
                "{code: ABC}                | spec.code     | spec.code in body should match '^[a-z]+$'",
                "{size: true}               | spec.size     | must be of type",
                "{parts: [{name: a}, {name: a}]} | spec.parts[1] | Duplicate value",
                "{tags: [a, a]}             | spec.tags[1]  | Duplicate value",
                "{labels: {a: 1}}           | spec.labels.a | spec.labels.a in body must be of type string: "
                        + "\"integer\"",
            })
    default void aBadValueIsRefusedWithItsPath(String spec, String field, String message) {
        Reply reply = api().post(gadgets(), Cases.gadget("a", spec));
        assertThat(reply.code()).as(reply.message()).isEqualTo(422);
        assertThat(reply.reason()).isEqualTo("Invalid");
        assertThat(reply.message())
                .startsWith("Gadget.conformance.ratchet.dev \"a\" is invalid: ")
                .contains(message);
        assertThat(reply.at("/details/causes").findValuesAsText("field")).contains(field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{code: abcdef}             | spec.code     | Too long",
                "{parts: [{count: 1}]}      | spec.parts[0].name | Required value",
                "{parts: [{name: a}, {name: b}, {name: c}, {name: d}, {name: e}]} | spec.parts | Too many",
            })
    default void aBadLengthIsRefusedInTheWordsOfNewerServers(String spec, String field, String message) {
        assumeTrue(api().isAtLeast(27), "older servers refuse it too, in other words");
        aBadValueIsRefusedWithItsPath(spec, field, message);
    }

    @Test
    default void goodValuesOfEveryKindAreTaken() {
        Reply created = createGadget(
                "a",
                "{size: 10Gi, note: null, free: {any: [1, {b: c}]}, labels: {x: '1'}, tags: [a, b], parts: "
                        + "[{name: p}]}");
        assertThat(created.at("/spec/size").asText()).isEqualTo("10Gi");
        assertThat(created.at("/spec/free/any/1/b").asText()).isEqualTo("c");
        assertThat(created.at("/spec/parts/0/count").asLong()).isEqualTo(1);
        assertThat(api().patch("merge", gadgets() + "/a", "{spec: {size: 5}}")
                        .at("/spec/size")
                        .isNumber())
                .isTrue();
    }

    @Test
    default void aRequiredFieldAtTheTopIsRequired() {
        Reply reply =
                api().post(gadgets(), "{apiVersion: conformance.ratchet.dev/v1, kind: Gadget, metadata: {name: a}}");
        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message()).contains("spec: Required value");
    }

    @Test
    default void unknownFieldsAreDropped() {
        Reply created = createGadget("a", "{bogus: 1, parts: [{name: p, more: 2}]}");
        assertThat(created.body().path("spec").has("bogus")).isFalse();
        assertThat(created.at("/spec/parts/0").has("more")).isFalse();
    }

    @Test
    default void unknownFieldsAreReportedWhenAskedFor() {
        assumeTrue(api().isAtLeast(25), "fieldValidation came with Kubernetes 1.25");
        Reply strict = api().post(gadgets() + "?fieldValidation=Strict", Cases.gadget("a", "{bogus: 1}"));
        assertThat(strict.code()).isEqualTo(400);
        assertThat(strict.message()).contains("strict decoding error: unknown field \"spec.bogus\"");
        Reply warned = api().post(gadgets() + "?fieldValidation=Warn", Cases.gadget("a", "{bogus: 1}"));
        assertThat(warned.code()).isEqualTo(201);
        assertThat(warned.warning()).contains("unknown field").contains("spec.bogus");
    }

    @Test
    default void rulesOverSeveralFieldsAreHeld() {
        assumeTrue(api().isAtLeast(25), "CEL rules came with Kubernetes 1.25");
        Reply reply = api().post(gadgets(), Cases.gadget("a", "{replicas: 5, limit: 4}"));
        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message())
                .isEqualTo("Gadget.conformance.ratchet.dev \"a\" is invalid: spec: Invalid value: "
                        + (api().isAtLeast(36) ? "" : "\"object\": ") + "more replicas than the limit");
    }

    @Test
    default void rulesOverAChangeAreHeldOnlyOnAChange() {
        assumeTrue(api().isAtLeast(28), "fieldPath of CEL rules came with Kubernetes 1.28");
        createGadget("a", "{id: x}");
        Reply reply = api().patch("merge", gadgets() + "/a", "{spec: {id: y}}");
        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.at("/details/causes/0/field").asText()).isEqualTo("spec.id");
        assertThat(reply.message()).contains("the id can not be changed");
        assertThat(api().patch("merge", gadgets() + "/a", "{spec: {replicas: 3}}")
                        .code())
                .isEqualTo(200);
    }

    @Test
    default void aDefinitionIsServedAndSaysSo() {
        Reply definition =
                api().get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.conformance.ratchet.dev");
        assertThat(definition.at("/status/conditions").findValuesAsText("type"))
                .contains("NamesAccepted", "Established");
        assertThat(definition.at("/status/acceptedNames/singular").asText()).isEqualTo("gadget");
        assertThat(definition.at("/status/acceptedNames/listKind").asText()).isEqualTo("GadgetList");
        assertThat(definition.at("/status/storedVersions/0").asText()).isEqualTo("v1");
    }

    @Test
    default void aDefinitionWithAWrongNameIsRefused() {
        Reply reply = api().post(
                        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                        "{metadata: {name: wrong.conformance.ratchet.dev}, spec: {group: "
                                + "conformance.ratchet.dev, scope: Namespaced,"
                                + " names: {kind: Right, plural: rights}, versions: [{name: v1, served: true, "
                                + "storage: true,"
                                + " schema: {openAPIV3Schema: {type: object}}}]}}");
        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message()).contains("metadata.name").contains("spec.names.plural+\".\"+spec.group");
    }

    @TestFactory
    default Stream<DynamicTest> definitionsAreTakenOrRefusedAsTheirSchemaDeserves() {
        return DefinitionCase.all().stream()
                .map(tried -> DynamicTest.dynamicTest(tried.name(), () -> isTakenOrRefused(tried)));
    }

    private void isTakenOrRefused(DefinitionCase tried) {
        assumeTrue(api().isAtLeast(33), "older servers say it in other words");
        Reply reply =
                api().post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All", tried.definition());
        assertThat(reply.code()).as(reply.message()).isEqualTo(tried.says().isEmpty() ? 201 : 422);
        if (!tried.says().isEmpty()) {
            assertThat(reply.message()).contains(tried.says());
        }
    }

    @Test
    default void textsOfAFormatAreWhatTheyMeanInRules() {
        assumeTrue(api().isAtLeast(25), "CEL rules came with Kubernetes 1.25");
        Reply early = api().post(gadgets(), Cases.gadget("a", "{since: '2019-12-31T23:00:00Z'}"));
        assertThat(early.code()).isEqualTo(422);
        assertThat(early.message()).contains("spec.since: Invalid value: ").endsWith("before the first gadget");
        createGadget("a", "{since: '2020-01-01T00:00:00+00:00', warranty: 2h30m}");
        Reply brief = api().post(gadgets(), Cases.gadget("b", "{warranty: 59m}"));
        assertThat(brief.message()).contains("spec.warranty: Invalid value: ").endsWith("less than an hour");
    }
}
