/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.model.RequestBody;
import dev.ratchet.local.apiserver.schema.ModelSchemas;
import dev.ratchet.local.apiserver.schema.Schema;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The directives of strategic merge patches, on pods. */
class StrategicMergePatchTest {

    private static final Schema POD = new ModelSchemas().of(Pod.class);

    private static ObjectNode parse(String yaml) {
        return RequestBody.parseObject(yaml.getBytes(StandardCharsets.UTF_8));
    }

    private static String patch(String target, String patch) {
        return StrategicMergePatch.apply(POD, parse(target), parse(patch)).toString();
    }

    @Test
    void itemsMergeByTheirKey() {
        assertThat(patch(
                        "spec: {containers: [{name: a, image: i}, {name: b}]}",
                        "spec: {containers: [{name: b, image: j}, {name: c}]}"))
                .isEqualTo("{\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":\"i\"},"
                        + "{\"name\":\"b\",\"image\":\"j\"},{\"name\":\"c\"}]}}");
    }

    @Test
    void anItemCanBeDeletedAndAListReplaced() {
        assertThat(patch(
                        "spec: {containers: [{name: a}, {name: b}]}",
                        "spec: {containers: [{name: a, $patch: delete}]}"))
                .isEqualTo("{\"spec\":{\"containers\":[{\"name\":\"b\"}]}}");
        assertThat(patch("spec: {containers: [{name: a}]}", "spec: {containers: [{$patch: replace}, {name: b}]}"))
                .isEqualTo("{\"spec\":{\"containers\":[{\"name\":\"b\"}]}}");
    }

    @Test
    void anObjectCanBeReplaced() {
        assertThat(patch("metadata: {labels: {a: b}}", "metadata: {labels: {$patch: replace, c: d}}"))
                .isEqualTo("{\"metadata\":{\"labels\":{\"c\":\"d\"}}}");
    }

    @Test
    void listsWithoutAKeyAreReplacedAndSetsGrow() {
        assertThat(patch("spec: {tolerations: [{key: a}]}", "spec: {tolerations: [{key: b}]}"))
                .isEqualTo("{\"spec\":{\"tolerations\":[{\"key\":\"b\"}]}}");
        assertThat(patch("metadata: {finalizers: [a]}", "metadata: {finalizers: [b, a]}"))
                .isEqualTo("{\"metadata\":{\"finalizers\":[\"a\",\"b\"]}}");
    }

    @Test
    void valuesAreTakenFromASet() {
        assertThat(patch("metadata: {finalizers: [a, b]}", "metadata: {$deleteFromPrimitiveList/finalizers: [a]}"))
                .isEqualTo("{\"metadata\":{\"finalizers\":[\"b\"]}}");
    }

    @Test
    void theOrderOfItemsCanBeSaid() {
        assertThat(patch(
                        "spec: {containers: [{name: a}, {name: b}, {name: c}]}",
                        "spec: {$setElementOrder/containers: [{name: c}, {name: a}]}"))
                .isEqualTo("{\"spec\":{\"containers\":[{\"name\":\"c\"},{\"name\":\"a\"},{\"name\":\"b\"}]}}");
    }

    @Test
    void onlyTheKeysThatAreRetainedStay() {
        assertThat(patch(
                        "spec: {volumes: [{name: v, emptyDir: {medium: Memory}}]}",
                        "spec: {volumes: [{name: v, $retainKeys: [name, configMap], configMap: {name: c}}]}"))
                .isEqualTo("{\"spec\":{\"volumes\":[{\"name\":\"v\",\"configMap\":{\"name\":\"c\"}}]}}");
    }
}
