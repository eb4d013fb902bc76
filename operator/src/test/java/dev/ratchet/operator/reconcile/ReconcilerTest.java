/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.operator.apply.ApiWriter;
import dev.ratchet.operator.apply.Applier;
import dev.ratchet.operator.certificates.AuthorityRotation;
import dev.ratchet.operator.certificates.CertificateIssuer;
import dev.ratchet.operator.certificates.CertificateLives;
import dev.ratchet.operator.certificates.LeafRotation;
import dev.ratchet.operator.model.PodSettings;
import dev.ratchet.operator.model.Settings;
import dev.ratchet.operator.observe.ClusterKey;
import dev.ratchet.operator.observe.Commands;
import dev.ratchet.operator.observe.CoordinatorObserver;
import dev.ratchet.operator.observe.CoordinatorReport;
import dev.ratchet.operator.observe.Endpoint;
import dev.ratchet.operator.plan.ClusterPlanner;
import dev.ratchet.operator.status.EventRecorder;
import dev.ratchet.operator.world.World;
import dev.ratchet.protocol.security.TransportSecurity;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.HttpURLConnection;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The loop itself, between a coordinator that notes what it is told and an API server that may fail. */
class ReconcilerTest {
    private static final CertificateLives LIVES = CertificateLives.ofDays(90);

    private final World world = new World();
    private final ApiStub stub = new ApiStub();
    private final NotedCoordinator coordinators = new NotedCoordinator();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Watchdog watchdog = new Watchdog(() -> now);
    private volatile Runnable beforeWrites = () -> {};
    private ComputeClusterReconciler reconciler = reconciler();

    @BeforeEach
    void install() {
        stub.installDefinitions();
    }

    @AfterEach
    void close() {
        stub.close();
    }

    @Test
    void afterARestartTheCoordinatorIsHeardThoughTheApiServerFailsAtEveryWrite() {
        world.scale(2);
        world.settle();
        world.lose("orders-w-1");
        reconciler = reconciler();
        beforeWrites = () -> {
            throw new KubernetesClientException("down", HttpURLConnection.HTTP_UNAVAILABLE, null);
        };
        assertThatThrownBy(this::reconcile).hasMessageContaining("down");
        assertThat(coordinators.calls).containsExactly("track orders-w-0 without a commit");
    }

    @Test
    void afterARestartTheCoordinatorIsHeardThoughAPodIsRefused() {
        world.scale(2);
        world.settle();
        world.lose("orders-w-1");
        world.api.refuse(object -> object.getMetadata().getName().equals("orders-w-1"));
        reconciler = reconciler();
        reconcile();
        assertThat(coordinators.calls).contains("track orders-w-0 without a commit");
    }

    @Test
    void whatIsKnownOfAFormerClusterIsForgotten() {
        world.scale(1);
        world.settle();
        reconcile();
        world.createAgain();
        coordinators.calls.clear();
        reconcile();
        assertThat(coordinators.calls.get(0)).isEqualTo("forget");
    }

    @Test
    void aReconcileThatHangsInAWriteIsSeen() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch ends = new CountDownLatch(1);
        beforeWrites = () -> {
            watchdog.goesOn(ClusterKey.of(world.cluster));
            hangs.countDown();
            awaitQuietly(ends);
        };
        CompletableFuture<Void> running = CompletableFuture.runAsync(this::reconcile);
        assertThat(hangs.await(30, TimeUnit.SECONDS)).as("the first write").isTrue();
        assertThat(watchdog.problem()).isEmpty();
        now = now.plus(Watchdog.LIMIT).plusSeconds(1);
        assertThat(watchdog.problem())
                .hasValueSatisfying(
                        problem -> assertThat(problem).contains("orders").contains("has not gone on"));
        ends.countDown();
        running.get(30, TimeUnit.SECONDS);
        assertThat(watchdog.problem()).isEmpty();
    }

    @Test
    void aReconcileThatFailsIsNotTakenForOneThatHangs() {
        beforeWrites = () -> {
            throw new KubernetesClientException("down", HttpURLConnection.HTTP_UNAVAILABLE, null);
        };
        assertThatThrownBy(this::reconcile).hasMessageContaining("down");
        now = now.plus(Watchdog.LIMIT).plusSeconds(1);
        assertThat(watchdog.problem()).isEmpty();
    }

    private void reconcile() {
        reconciler.reconcile(world.cluster, context());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).as("to be let go on").isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private ComputeClusterReconciler reconciler() {
        Settings settings = new Settings("0.1.0", "ratchet/worker:0.1.0", true, "policy/v1", PodSettings.DEFAULT);
        CertificateIssuer issuer = new CertificateIssuer(new SecureRandom());
        LeafRotation leaves = new LeafRotation(issuer, LIVES);
        return new ComputeClusterReconciler(new ReconcilerParts(
                new ClusterPlanner(settings, new AuthorityRotation(issuer, LIVES), leaves),
                settings,
                new Snapshots(
                        settings,
                        coordinators,
                        new BroughtAuthorities(stub.client),
                        new ProgramSources(stub.client, key -> {}),
                        new CertManagerReader(stub.client),
                        new NodeReader(stub.client),
                        () -> now),
                new Applier(() -> now),
                coordinators,
                new OperatorCredentials(leaves),
                new CoordinatorEvents(),
                new Compatibility(stub.client, () -> now),
                new EventRecorder(stub.client, "test"),
                watchdog,
                (cluster, context) -> writer()));
    }

    /** The writer of the world, which hangs or fails when told to. */
    private ApiWriter writer() {
        return (ApiWriter) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ApiWriter.class}, (proxy, method, arguments) -> {
                    beforeWrites.run();
                    try {
                        return method.invoke(world.api, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }

    @SuppressWarnings("unchecked") // A proxy knows no type parameters.
    private Context<ComputeCluster> context() {
        return (Context<ComputeCluster>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Context.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getSecondaryResources")) {
                        return new HashSet<>(world.api
                                .all((Class<? extends HasMetadata>) arguments[0])
                                .values());
                    }
                    throw new AssertionError("A snapshot is taken from caches alone, not by " + method);
                });
    }

    private static final class NotedCoordinator implements CoordinatorObserver {
        private final List<String> calls = new ArrayList<>();

        @Override
        public Optional<CoordinatorReport> clusterReport(ClusterKey cluster) {
            return Optional.empty();
        }

        @Override
        public void track(ClusterKey cluster, List<Endpoint> endpoints, TransportSecurity security, Commands commands) {
            calls.add("track "
                    + endpoints.stream().map(Endpoint::seat).toList().toString().replaceAll("[\\[\\]]", "")
                    + (commands.commit().isPresent() ? " with" : " without") + " a commit");
        }

        @Override
        public void forget(ClusterKey cluster) {
            calls.add("forget");
        }

        @Override
        public void close() {}
    }
}
