/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.crds.Definitions;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Our own definitions and what they define: every manifest that users are shown is taken, and every rule refuses, in
 * the words of the documents, the objects that its test cases in {@code rules.yaml} say it must.
 */
interface ResourceCases extends Cases {

    /** Whether no operator may be there that would act on the objects of a case. */
    boolean broughtTheDefinitions();

    private String path(JsonNode object) {
        return "/apis/ratchet.dev/v1alpha1/namespaces/" + namespace() + "/"
                + Resources.plural(object.path("kind").asText());
    }

    @Test
    default void theDefinitionsAreServedWithoutReservation() {
        for (String name : Definitions.NAMES) {
            JsonNode conditions = api().get(DEFINITIONS + "/" + name).at("/status/conditions");
            assertThat(conditions.findValuesAsText("type"))
                    .as("NonStructuralSchema and the like would stand here")
                    .containsExactlyInAnyOrder("NamesAccepted", "Established");
            assertThat(conditions.findValuesAsText("status")).containsOnly("True");
        }
    }

    static List<Resources.Manifest> manifests() throws IOException {
        return Resources.manifests();
    }

    @ParameterizedTest
    @MethodSource("dev.ratchet.local.conformance.ResourceCases#manifests")
    default void whatUsersAreShownIsTaken(Resources.Manifest manifest) {
        ObjectNode object = manifest.object().deepCopy();
        ((ObjectNode) object.path("metadata")).put("namespace", namespace());
        Reply reply = api().post(path(object) + "?dryRun=All&fieldValidation=Strict", object.toString());
        assertThat(reply.code()).as(reply.message()).isEqualTo(201);
        assertThat(reply.warning()).isEmpty();
    }

    static Stream<Resources.Attempt> objects() throws IOException {
        return Resources.attempts().filter(attempt -> attempt.before() == null);
    }

    @ParameterizedTest
    @MethodSource("dev.ratchet.local.conformance.ResourceCases#objects")
    default void aRuleRefusesWhatItSays(Resources.Attempt attempt) {
        assumeTrue(api().isAtLeast(25), "CEL rules came with Kubernetes 1.25");
        Reply reply = api().post(
                        path(attempt.after()) + "?dryRun=All", attempt.after().toString());
        judge(attempt, reply, 201);
    }

    static Stream<Resources.Attempt> changes() throws IOException {
        return Resources.attempts().filter(attempt -> attempt.before() != null);
    }

    @ParameterizedTest
    @MethodSource("dev.ratchet.local.conformance.ResourceCases#changes")
    default void aRuleRefusesTheChangesThatItSays(Resources.Attempt attempt) {
        assumeTrue(api().isAtLeast(25), "CEL rules came with Kubernetes 1.25");
        assumeTrue(broughtTheDefinitions(), "an operator may be there, which would act on the objects");
        JsonNode before = attempt.before();
        String object = path(before) + "/" + before.at("/metadata/name").asText();
        Reply created = api().post(path(before), before.toString());
        assertThat(created.code()).as(created.message()).isEqualTo(201);
        try {
            ObjectNode after = attempt.after().deepCopy();
            ((ObjectNode) after.path("metadata")).put("resourceVersion", created.version());
            judge(attempt, api().put(object, after), 200);
        } finally {
            api().delete(object);
        }
    }

    private void judge(Resources.Attempt attempt, Reply reply, int success) {
        assertThat(reply.message())
                .as("%s", attempt.after())
                .doesNotContain("some validation rules were not checked because the object was invalid");
        if (attempt.refused()) {
            assertThat(reply.code()).as("%s", attempt.after()).isEqualTo(422);
            assertThat(reply.reason()).isEqualTo("Invalid");
            boolean anyObjectMayHaveTheName =
                    attempt.after().at("/metadata/name").asText().matches("[a-z0-9]([-.a-z0-9]*[a-z0-9])?");
            assertThat(reply.message())
                    .contains(anyObjectMayHaveTheName ? attempt.message() : "metadata.name: Invalid value");
        } else {
            assertThat(reply.code())
                    .as("%s: %s", attempt.after(), reply.message())
                    .isEqualTo(success);
        }
    }
}
