/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists, pages, selectors and watches. */
interface ReadCases extends Cases {

    private List<String> names(Reply list) {
        List<String> names = new ArrayList<>();
        list.body()
                .path("items")
                .forEach(item -> names.add(item.path("metadata").path("name").asText()));
        return names;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "app%3Dx                    | a b",
                "app%3D%3Dx%2Ctier!%3D2     | a",
                "app%20in%20(x%2Cy)         | a b c",
                "app%20notin%20(x)          | c d",
                "tier                       | a b",
                "!tier                      | c d",
            })
    default void labelSelectorsSelect(String selector, String expected) {
        createConfigMap("a", "labels: {app: x, tier: '1', case: labels}");
        createConfigMap("b", "labels: {app: x, tier: '2', case: labels}");
        createConfigMap("c", "labels: {app: y, case: labels}");
        createConfigMap("d", "labels: {case: labels}");
        Reply list = api().get(core("configmaps") + "?labelSelector=case%3Dlabels%2C" + selector);
        assertThat(list.code()).as(list.message()).isEqualTo(200);
        assertThat(names(list)).containsExactlyInAnyOrder(expected.split(" "));
    }

    @Test
    default void fieldSelectorsSelectByName() {
        createGadget("a", "{}");
        createGadget("b", "{}");
        assertThat(names(api().get(gadgets() + "?fieldSelector=metadata.name%3Da")))
                .containsExactly("a");
        assertThat(names(api().get(gadgets() + "?fieldSelector=metadata.name!%3Da")))
                .containsExactly("b");
        assertThat(api().get(gadgets() + "?fieldSelector=spec.color%3Dred").code())
                .isEqualTo(400);
    }

    @Test
    default void aListComesInPagesOfOneVersion() {
        for (int i = 0; i < 5; i++) {
            createGadget("g" + i, "{}");
        }
        Reply first = api().get(gadgets() + "?limit=2");
        assertThat(names(first)).containsExactly("g0", "g1");
        assertThat(first.at("/metadata/remainingItemCount").asLong()).isEqualTo(3);
        createGadget("g9", "{}");
        Reply second = api().get(gadgets() + "?limit=2&continue="
                + first.at("/metadata/continue").asText());
        assertThat(names(second)).containsExactly("g2", "g3");
        assertThat(second.version()).isEqualTo(first.version());
        Reply third = api().get(gadgets() + "?limit=2&continue="
                + second.at("/metadata/continue").asText());
        assertThat(names(third)).containsExactly("g4");
        assertThat(third.at("/metadata/continue").asText("")).isEmpty();
    }

    @Test
    default void aListHasAKindAndAVersion() {
        createGadget("a", "{}");
        Reply list = api().get(gadgets());
        assertThat(list.at("/kind").asText()).isEqualTo("GadgetList");
        assertThat(list.at("/apiVersion").asText()).isEqualTo("conformance.ratchet.dev/v1");
        assertThat(Long.parseLong(list.version())).isPositive();
    }

    @Test
    default void aWatchWithoutAVersionStartsWithWhatThereIs() {
        createGadget("a", "{}");
        List<JsonNode> events = api().watch(gadgets());
        assertThat(events).extracting(event -> event.path("type").asText()).containsExactly("ADDED");
        assertThat(events.get(0).at("/object/kind").asText()).isEqualTo("Gadget");
    }

    @Test
    default void aWatchFromAVersionTellsEveryChangeAfterIt() {
        createGadget("a", "{}");
        String version = api().get(gadgets()).version();
        api().patch("merge", gadgets() + "/a", "{spec: {replicas: 2}}");
        createGadget("b", "{}");
        api().delete(gadgets() + "/a");
        List<JsonNode> events = api().watch(gadgets() + "?resourceVersion=" + version);
        assertThat(events)
                .extracting(event -> event.path("type").asText() + " "
                        + event.at("/object/metadata/name").asText())
                .containsExactly("MODIFIED a", "ADDED b", "DELETED a");
        assertThat(events.get(2).at("/object/spec/replicas").asLong()).isEqualTo(2);
    }

    @Test
    default void aWatchBySelectorSeesObjectsComeAndGo() {
        createGadget("a", "{}");
        String version = api().get(gadgets()).version();
        api().patch("merge", gadgets() + "/a", "{metadata: {labels: {on: 'yes'}}}");
        api().patch("merge", gadgets() + "/a", "{spec: {replicas: 2}}");
        api().patch("merge", gadgets() + "/a", "{metadata: {labels: {on: null}}}");
        List<JsonNode> events = api().watch(gadgets() + "?labelSelector=on%3Dyes&resourceVersion=" + version);
        assertThat(events)
                .extracting(event -> event.path("type").asText())
                .containsExactly("ADDED", "MODIFIED", "DELETED");
    }

    @Test
    default void aWatchOfOneObjectIgnoresOthers() {
        createGadget("a", "{}");
        createGadget("b", "{}");
        assertThat(api().watch(gadgets() + "?fieldSelector=metadata.name%3Db")).hasSize(1);
    }
}
