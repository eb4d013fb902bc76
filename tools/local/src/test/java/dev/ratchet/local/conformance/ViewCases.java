/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The other forms of objects: scale, tables, metadata only; and the documents that describe the API. */
interface ViewCases extends Cases {

    String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    String METADATA = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json";
    String METADATA_LIST = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json";

    @Test
    default void scaleIsAViewOfTheObject() {
        createGadget("a", "{replicas: 3}");
        api().patch("merge", gadgets() + "/a/status", "{status: {replicas: 2, selector: app=a}}");
        Reply scale = api().get(gadgets() + "/a/scale");
        assertThat(scale.at("/kind").asText()).isEqualTo("Scale");
        assertThat(scale.at("/apiVersion").asText()).isEqualTo("autoscaling/v1");
        assertThat(scale.at("/spec/replicas").asLong()).isEqualTo(3);
        assertThat(scale.at("/status/replicas").asLong()).isEqualTo(2);
        assertThat(scale.at("/status/selector").asText()).isEqualTo("app=a");
        Reply patched = api().patch("merge", gadgets() + "/a/scale", "{spec: {replicas: 4}}");
        assertThat(patched.at("/spec/replicas").asLong()).isEqualTo(4);
        Reply put = api().put(
                        gadgets() + "/a/scale",
                        "{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: a, namespace: " + namespace()
                                + "}, spec: {replicas: 5}}");
        assertThat(put.code()).as(put.message()).isEqualTo(200);
        Reply object = api().get(gadgets() + "/a");
        assertThat(object.at("/spec/replicas").asLong()).isEqualTo(5);
        assertThat(object.at("/metadata/generation").asLong()).isEqualTo(3);
        Reply late = api().put(
                        gadgets() + "/a/scale",
                        "{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: a, namespace: " + namespace()
                                + ", resourceVersion: '" + scale.version() + "'}, spec: {replicas: 6}}");
        assertThat(late.code()).isEqualTo(409);
    }

    @Test
    default void aScaleOutOfBoundsIsRefused() {
        createGadget("a", "{}");
        assertThat(api().patch("merge", gadgets() + "/a/scale", "{spec: {replicas: 11}}")
                        .code())
                .isEqualTo(422);
        assertThat(api().patch("merge", gadgets() + "/a/scale", "{spec: {replicas: -1}}")
                        .code())
                .isEqualTo(422);
    }

    @Test
    default void aTableHasTheColumnsOfTheDefinition() {
        createGadget("a", "{replicas: 3, color: red}");
        api().patch("merge", gadgets() + "/a/status", "{status: {conditions: [{type: Ready, status: 'True'}]}}");
        Reply table = api().get(gadgets(), TABLE);
        assertThat(table.at("/kind").asText()).isEqualTo("Table");
        List<String> columns = new ArrayList<>();
        table.at("/columnDefinitions")
                .forEach(column -> columns.add(column.path("name").asText()));
        assertThat(columns).containsExactly("Name", "Desired", "Ready", "Age", "Color");
        JsonNode cells = table.at("/rows/0/cells");
        assertThat(cells.path(0).asText()).isEqualTo("a");
        assertThat(cells.path(1).asLong()).isEqualTo(3);
        assertThat(cells.path(2).asText()).isEqualTo("True");
        assertThat(cells.path(3).asText()).matches("[0-9]+[smh].*");
        assertThat(cells.path(4).asText()).isEqualTo("red");
        assertThat(table.at("/rows/0/object/kind").asText()).isEqualTo("PartialObjectMetadata");
    }

    @Test
    default void aTableOfPodsSumsThemUp() {
        api().post(
                        core("pods"),
                        "{metadata: {name: p}, spec: {nodeName: nowhere, automountServiceAccountToken: false, "
                                + "containers: [{name: c, image: 'a:1'}]}}");
        Reply table = api().get(core("pods") + "/p", TABLE);
        List<String> cells = new ArrayList<>();
        table.at("/rows/0/cells").forEach(cell -> cells.add(cell.asText()));
        assertThat(cells.subList(0, 4)).containsExactly("p", "0/1", "Pending", "0");
    }

    @Test
    default void metadataCanBeAskedForAlone() {
        createGadget("a", "{}");
        Reply one = api().get(gadgets() + "/a", METADATA);
        assertThat(one.at("/kind").asText()).isEqualTo("PartialObjectMetadata");
        assertThat(one.body().has("spec")).isFalse();
        Reply list = api().get(gadgets(), METADATA_LIST);
        assertThat(list.at("/kind").asText()).isEqualTo("PartialObjectMetadataList");
        assertThat(list.at("/items/0/metadata/name").asText()).isEqualTo("a");
    }

    @Test
    default void discoveryNamesKindsAndSubresources() {
        needCoreKinds();
        Reply groups = api().get("/apis");
        assertThat(groups.at("/groups").findValuesAsText("name"))
                .contains("conformance.ratchet.dev", "coordination.k8s.io", "events.k8s.io");
        Reply resources = api().get("/apis/conformance.ratchet.dev/v1");
        List<String> names = new ArrayList<>();
        resources
                .at("/resources")
                .forEach(resource -> names.add(resource.path("name").asText()));
        assertThat(names).containsExactlyInAnyOrder("gadgets", "gadgets/status", "gadgets/scale");
        JsonNode gadgets = resources.at("/resources/" + names.indexOf("gadgets"));
        assertThat(gadgets.path("shortNames").path(0).asText()).isEqualTo("gd");
        assertThat(gadgets.path("categories").path(0).asText()).isEqualTo("conformance");
        assertThat(gadgets.path("verbs").toString()).contains("create", "deletecollection", "watch");
        assertThat(api().get("/apis/no.such.group").code()).isEqualTo(404);
        assertThat(api().get("/api/v1").at("/groupVersion").asText()).isEqualTo("v1");
    }

    @Test
    default void aMethodThatIsNotServedIsRefused() {
        assertThat(api().put(core("configmaps"), "{metadata: {name: a}}").code())
                .isEqualTo(405);
    }
}
