/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CertificatesTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final CertificateLives LIVES = CertificateLives.ofDays(90);
    private static final Identity SEAT = new Identity("team-a", "orders", Kind.WORKER, "orders-w-0");

    private final CertificateIssuer issuer = new CertificateIssuer(new SecureRandom());
    private final AuthorityRotation authorities = new AuthorityRotation(issuer, LIVES);
    private final LeafRotation leaves = new LeafRotation(issuer, LIVES);

    @Test
    void aWorkersCertificateNamesItsSeatAndTheClientService() throws Exception {
        X509Certificate certificate = certificate(leaf(Map.of(), SEAT, authority(Map.of(), NOW), NOW));
        assertThat(Identity.of(certificate)).contains(SEAT);
        assertThat(certificate.getSubjectAlternativeNames())
                .extracting(name -> String.valueOf(name.get(1)))
                .contains("orders-w-0.team-a.ratchet", "orders-client.team-a.ratchet");
        assertThat(certificate.getExtendedKeyUsage()).hasSize(2);
    }

    @Test
    void aClientsCertificateCanNotServe() throws Exception {
        Identity client = new Identity("team-a", "orders", Kind.CLIENT, "orders-w-0");
        X509Certificate certificate = certificate(leaf(Map.of(), client, authority(Map.of(), NOW), NOW));
        assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
    }

    @Test
    void aCertificateIsSignedByItsAuthority() throws Exception {
        Authority authority = authority(Map.of(), NOW);
        X509Certificate certificate = certificate(leaf(Map.of(), SEAT, authority, NOW));
        certificate.verify(authority.signer().certificate().getPublicKey());
        assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
    }

    @Test
    void whatIsGoodIsKept() {
        Map<String, String> data = authorities.step(Map.of(), "orders", "team-a", NOW);
        assertThat(authorities.step(data, "orders", "team-a", NOW.plus(Duration.ofDays(100))))
                .isEqualTo(data);
        Authority authority = AuthorityRotation.authority(data);
        Map<String, String> leaf = leaf(Map.of(), SEAT, authority, NOW);
        assertThat(leaf(leaf, SEAT, authority, NOW.plus(Duration.ofDays(59)))).isEqualTo(leaf);
    }

    @Test
    void aCertificateIsReplacedAfterTwoThirdsOfItsLife() {
        Authority authority = authority(Map.of(), NOW);
        Map<String, String> leaf = leaf(Map.of(), SEAT, authority, NOW);
        Map<String, String> later = leaf(leaf, SEAT, authority, NOW.plus(Duration.ofDays(61)));
        assertThat(later.get(SecretKeys.CERTIFICATE)).isNotEqualTo(leaf.get(SecretKeys.CERTIFICATE));
        assertThat(LeafRotation.notAfter(later)).contains(NOW.plus(Duration.ofDays(151)));
    }

    @Test
    void aDamagedOrForeignCertificateIsReplaced() {
        Authority authority = authority(Map.of(), NOW);
        Map<String, String> leaf = leaf(Map.of(), SEAT, authority, NOW);
        Map<String, String> damaged = new HashMap<>(leaf);
        damaged.put(SecretKeys.CERTIFICATE, "nonsense");
        assertThat(leaf(damaged, SEAT, authority, NOW)).isNotEqualTo(damaged);
        Authority other = authority(Map.of(), NOW);
        assertThat(leaf(leaf, SEAT, other, NOW).get(SecretKeys.CERTIFICATE))
                .isNotEqualTo(leaf.get(SecretKeys.CERTIFICATE));
        Identity another = new Identity("team-a", "orders", Kind.WORKER, "orders-w-1");
        assertThat(leaf(leaf, another, authority, NOW).get(SecretKeys.CERTIFICATE))
                .isNotEqualTo(leaf.get(SecretKeys.CERTIFICATE));
    }

    @Test
    void aNewAuthorityIsTrustedEverywhereBeforeItSigns() throws Exception {
        Map<String, String> first = authorities.step(Map.of(), "orders", "team-a", NOW);
        Authority old = AuthorityRotation.authority(first);
        Map<String, String> leaf = leaf(Map.of(), SEAT, old, NOW);

        Instant due = NOW.plus(LIVES.authority().multipliedBy(2).dividedBy(3));
        Map<String, String> announced = authorities.step(first, "orders", "team-a", due);
        Authority both = AuthorityRotation.authority(announced);
        assertThat(both.signer().certificate()).isEqualTo(old.signer().certificate());
        assertThat(both.trusted()).hasSize(2);
        assertThat(authorities.step(announced, "orders", "team-a", due.plusSeconds(60)))
                .isEqualTo(announced);

        Instant later = due.plus(LIVES.announcement());
        Map<String, String> promoted = authorities.step(announced, "orders", "team-a", later);
        Authority young = AuthorityRotation.authority(promoted);
        assertThat(young.signer().certificate()).isNotEqualTo(old.signer().certificate());
        assertThat(young.trusted()).containsExactlyInAnyOrderElementsOf(both.trusted());
        X509Certificate renewed = certificate(leaf(leaf, SEAT, young, later));
        renewed.verify(young.signer().certificate().getPublicKey());

        Instant end = old.signer().notAfter().plusSeconds(1);
        assertThat(AuthorityRotation.authority(authorities.step(promoted, "orders", "team-a", end))
                        .trusted())
                .hasSize(1);
    }

    @Test
    void anAuthorityThatCanNotBeReadIsNotOverwritten() {
        Map<String, String> broken = Map.of(SecretKeys.CERTIFICATE, "x", SecretKeys.KEY, "y");
        assertThatThrownBy(() -> authorities.step(broken, "orders", "team-a", NOW))
                .isInstanceOf(UnusableCertificateException.class)
                .hasMessageContaining("PEM");
    }

    @Test
    void aCertificateThatIsNoAuthorityCanNotSign() {
        Map<String, String> leaf = leaf(Map.of(), SEAT, authority(Map.of(), NOW), NOW);
        assertThatThrownBy(() -> AuthorityRotation.authority(leaf)).hasMessageContaining("CA:TRUE");
    }

    @Test
    void livesThatLeaveNoTimeToRotateAreRefused() {
        assertThatThrownBy(() -> new CertificateLives(Duration.ofDays(90), Duration.ofDays(100), Duration.ofMinutes(1)))
                .hasMessageContaining("3 times");
    }

    private Authority authority(Map<String, String> data, Instant now) {
        return AuthorityRotation.authority(authorities.step(data, "orders", "team-a", now));
    }

    private Map<String, String> leaf(Map<String, String> data, Identity subject, Authority authority, Instant now) {
        return leaves.step(data, subject, authority, now);
    }

    private static X509Certificate certificate(Map<String, String> data) {
        List<X509Certificate> chain = Pem.certificates(data.get(SecretKeys.CERTIFICATE));
        return chain.get(0);
    }
}
