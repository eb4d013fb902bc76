/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.Names;
import dev.ratchet.operator.plan.Obstacle;
import dev.ratchet.operator.status.Reason;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Definitions of other releases: of two operators at once, the one whose definitions are installed goes on. */
class CompatibilityTest {
    private static final String CLUSTERS = "computeclusters.ratchet.dev";

    private final ApiStub api = new ApiStub();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Compatibility compatibility = new Compatibility(api.client, () -> now);

    @BeforeEach
    void ours() {
        api.installDefinitions();
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void nothingIsWrongWithDefinitionsOfThisRelease() {
        assertThat(objection()).isEmpty();
        assertThat(compatibility.problem()).isEmpty();
    }

    @Test
    void theOperatorOfTheOlderReleaseStepsBackAndSaysSo() {
        install(CLUSTERS, "\"ratchet.dev/schema\":\"" + (Names.SCHEMA + 1) + "\"", Names.VERSION);
        assertThat(objection()).hasValueSatisfying(obstacle -> {
            assertThat(obstacle.reason()).isEqualTo(Reason.NEWER_VERSION);
            assertThat(obstacle.message()).contains(CLUSTERS).contains("upgrade the operator");
        });
    }

    @Test
    void itStepsBackWithinAMinuteAfterTheNewerOneWasInstalled() {
        assertThat(objection()).isEmpty();
        install(CLUSTERS, "\"ratchet.dev/schema\":\"" + (Names.SCHEMA + 1) + "\"", Names.VERSION);
        now = now.plusSeconds(61);
        assertThat(objection()).isPresent();
    }

    @Test
    void anotherStoredVersionIsOfALaterRelease() {
        install(CLUSTERS, "\"ratchet.dev/schema\":\"" + Names.SCHEMA + "\"", "v1");
        assertThat(objection())
                .hasValueSatisfying(obstacle -> assertThat(obstacle.reason()).isEqualTo(Reason.NEWER_VERSION));
    }

    @Test
    void olderDefinitionsAreNamedWithTheRemedy() {
        install(CLUSTERS, "\"ratchet.dev/schema\":\"" + (Names.SCHEMA - 1) + "\"", Names.VERSION);
        assertThat(objection()).hasValueSatisfying(obstacle -> {
            assertThat(obstacle.reason()).isEqualTo(Reason.OLDER_DEFINITIONS);
            assertThat(obstacle.message()).contains(CLUSTERS).contains("kubectl apply");
        });
    }

    @Test
    void definitionsOfAnotherOriginAreNotOurs() {
        install(CLUSTERS, "", Names.VERSION);
        assertThat(objection()).hasValueSatisfying(obstacle -> assertThat(obstacle.message())
                .contains("has no annotation ratchet.dev/schema"));
    }

    @Test
    void definitionsThatAreNotInstalledAreNamed() {
        api.answer(ApiStub.DEFINITIONS + CLUSTERS, 404, ApiStub.status(404, "NotFound", ""));
        assertThat(objection()).hasValueSatisfying(obstacle -> assertThat(obstacle.message())
                .contains(CLUSTERS + " is not installed"));
    }

    @Test
    void readinessHearsOfAProblemAndOfItsEnd() {
        install(CLUSTERS, "", Names.VERSION);
        assertThat(objection()).isPresent();
        assertThat(compatibility.problem()).isPresent();
        ours();
        now = now.plusSeconds(61);
        assertThat(compatibility.problem()).isEmpty();
    }

    @Test
    void whatMayNotBeReadIsLeftToTheApiServer() {
        api.answer(ApiStub.DEFINITIONS + CLUSTERS, 403, ApiStub.status(403, "Forbidden", ""));
        assertThat(objection()).isEmpty();
    }

    private Optional<Obstacle> objection() {
        return compatibility.objection(Optional.empty());
    }

    private void install(String name, String annotation, String version) {
        api.install(name, annotation, version);
    }
}
