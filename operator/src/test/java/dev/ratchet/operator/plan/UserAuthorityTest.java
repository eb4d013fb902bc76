/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.CertificateSource;
import dev.ratchet.crds.cluster.SecretCertificates;
import dev.ratchet.operator.world.World;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Clusters whose certificates are signed by an authority that the user brings. */
class UserAuthorityTest {

    private final World world = new World();

    private void useOurs() {
        world.edit(spec -> {
            spec.access.certificates.type = CertificateSource.SECRET;
            SecretCertificates names = new SecretCertificates();
            names.caSecretName = "our-authorities";
            names.serverSecretName = "our-signer";
            spec.access.certificates.secret = names;
        });
    }

    @Test
    void missingSecretsAreNamedAndLookedForAgain() {
        world.scale(1);
        useOurs();
        world.settle();
        assertThat(world.pods()).isEmpty();
        assertThat(world.condition("Degraded")).isEqualTo("True CertificatesUnusable");
        ReconcilePlan plan = world.plan();
        assertThat(plan.blocked().orElseThrow().message()).contains("our-authorities", "our-signer", "create it");
        assertThat(plan.wakeAt().orElseThrow()).isBefore(world.snapshot().now().plus(Duration.ofMinutes(1)));
    }

    @Test
    void oncePresentTheyAreTheAuthorityAndNoOtherIsMade() {
        World other = new World();
        other.scale(0);
        other.settle();
        world.scale(1);
        useOurs();
        world.userAuthority = Optional.of(other.secrets().get(Names.authoritySecret(World.CLUSTER)));
        world.settle();
        assertThat(world.condition("Ready")).isEqualTo("True AllWorkersReady");
        assertThat(world.secrets()).doesNotContainKey(Names.authoritySecret(World.CLUSTER));
        assertThat(world.plan().wakeAt()).as("they may be replaced").isPresent();
    }
}
