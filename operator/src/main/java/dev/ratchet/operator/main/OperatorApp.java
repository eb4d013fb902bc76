/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.main;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.Names;
import dev.ratchet.operator.model.Budgets;
import dev.ratchet.operator.model.Settings;
import dev.ratchet.operator.observe.CoordinatorLinks;
import dev.ratchet.operator.plan.Obstacle;
import dev.ratchet.operator.reconcile.Compatibility;
import dev.ratchet.operator.reconcile.ComputeClusterReconciler;
import dev.ratchet.operator.reconcile.CoordinatorEvents;
import dev.ratchet.operator.reconcile.Watchdog;
import dev.ratchet.protocol.health.HealthPort;
import dev.ratchet.protocol.release.Release;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.VersionInfo;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.javaoperatorsdk.operator.monitoring.micrometer.MicrometerMetricsV2;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the operator as a whole: made, started, stopped once. It may run inside another process, such as a test, with a
 * client of its choice; it then neither ends that process nor closes the client.
 */
public final class OperatorApp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorApp.class);
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    /** Clusters reconciled at the same time; a reconcile waits for nothing but the API server. */
    private static final int CONCURRENT_RECONCILES = 10;

    private static final Duration NOTHING_MISSED = Duration.ofMinutes(10);
    private static final Duration FINISH_STEP = Duration.ofSeconds(10);
    private static final Duration RETRY_FIRST = Duration.ofSeconds(1);
    private static final Duration RETRY_LONGEST = Duration.ofMinutes(1);
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration LEASE_RENEW = Duration.ofSeconds(10);
    private static final Duration LEASE_RETRY = Duration.ofSeconds(2);
    private static final int POLICY_V1_MINOR = 21;

    private final PrometheusMeterRegistry metrics;
    private final Operator operator;
    private final CoordinatorLinks coordinators;
    private final Compatibility compatibility;
    private final HealthPort http;
    private final LeaderLease lease;
    private final boolean elects;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private volatile boolean started;

    /**
     * An operator that is not started yet.
     *
     * @param client stays the caller's
     * @param configuration the settings
     * @param metrics where figures go; served at {@code /metrics}
     * @param lost what to do when another operator took the lead: this one must not go on
     */
    public OperatorApp(
            KubernetesClient client,
            OperatorConfiguration configuration,
            PrometheusMeterRegistry metrics,
            Runnable lost) {
        this.metrics = metrics;
        OperatorFigures.prepare(metrics);
        Settings settings = new Settings(
                Release.VERSION,
                configuration.workerImage(),
                configuration.networkPolicies(),
                budgets(client),
                configuration.pods());
        this.lease = new LeaderLease(client, configuration.operatorNamespace(), configuration.podName());
        this.elects = configuration.leaderElection();
        CoordinatorEvents events = new CoordinatorEvents();
        this.coordinators = new CoordinatorLinks(events::changed);
        this.compatibility = new Compatibility(client, InstantSource.system());
        Watchdog watchdog = new Watchdog(InstantSource.system());
        this.operator = new Operator(overrider -> configure(overrider, client, configuration, lost));
        operator.register(
                new ComputeClusterReconciler(
                        client,
                        settings,
                        configuration.certificates(),
                        coordinators,
                        events,
                        configuration.podName(),
                        compatibility,
                        watchdog,
                        InstantSource.system()),
                overrider -> configure(overrider, configuration));
        try {
            this.http = new HealthPort(address(configuration), watchdog::problem, this::notReady, metrics::scrape);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "port " + configuration.httpPort() + " can not be opened; set RATCHET_HTTP_PORT to another", e);
        }
    }

    /** As above, with figures of its own and for a process that is not to end. */
    public OperatorApp(KubernetesClient client, OperatorConfiguration configuration) {
        this(client, configuration, new PrometheusMeterRegistry(PrometheusConfig.DEFAULT), () -> {});
    }

    /**
     * Starts to watch, and to work as soon as this process leads. Returns when the caches are filled, before it leads.
     */
    public void start() {
        OperatorFigures.bindRuntime(metrics);
        // Says so in the log before anything fails because of it.
        compatibility.definitions();
        operator.start();
        started = true;
        LOG.info("operator {} watches; health and metrics on port {}", Release.text(), httpPort());
    }

    private static InetSocketAddress address(OperatorConfiguration configuration) {
        return configuration.httpAddress().isEmpty()
                ? new InetSocketAddress(configuration.httpPort())
                : new InetSocketAddress(configuration.httpAddress(), configuration.httpPort());
    }

    /** The port of health and metrics. */
    public int httpPort() {
        return http.port();
    }

    /** Stops taking events, finishes the running steps, gives the lease free, and closes what it opened. */
    @Override
    public void close() {
        if (stopping.compareAndSet(false, true)) {
            started = false;
            operator.stop();
            if (elects) {
                lease.release();
            }
            coordinators.close();
            http.close();
        }
    }

    /** Runs until told to end. */
    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length > 0) {
            System.exit(ReadinessQuestion.ask(arguments, System.out, System.err));
        }
        OperatorConfiguration configuration;
        try {
            configuration = OperatorConfiguration.of(System.getenv());
        } catch (IllegalArgumentException mistake) {
            // Not by the log, whose format may be the mistake.
            System.err.println(mistake.getMessage());
            System.exit(2);
            return;
        }
        PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        KubernetesClient client = ClientFactory.create(new ApiRequests(metrics));
        try {
            OperatorApp app = new OperatorApp(
                    client, configuration, metrics, () -> Runtime.getRuntime().halt(1));
            Runtime.getRuntime()
                    .addShutdownHook(Thread.ofPlatform().name("shutdown").unstarted(() -> {
                        app.close();
                        client.close();
                    }));
            app.start();
        } catch (RuntimeException failed) {
            // Threads that are there already would keep a process that does nothing.
            LOG.error("The operator can not start: {}", failed.getMessage(), failed);
            System.exit(1);
        }
    }

    private CompletableFuture<Optional<String>> notReady() {
        boolean ready = started && operator.getRuntimeInfo().allEventSourcesAreHealthy();
        // Not on the thread that answers probes: it may ask the API server.
        return ready
                ? CompletableFuture.supplyAsync(() -> compatibility.problem().map(Obstacle::message))
                : CompletableFuture.completedFuture(Optional.of("not ready"));
    }

    private void configure(
            ConfigurationServiceOverrider overrider,
            KubernetesClient client,
            OperatorConfiguration configuration,
            Runnable lost) {
        overrider
                .withKubernetesClient(client)
                .withCloseClientOnStop(false)
                .withConcurrentReconciliationThreads(CONCURRENT_RECONCILES)
                .withReconciliationTerminationTimeout(FINISH_STEP)
                .withStopOnInformerErrorDuringStartup(true)
                // The framework would apply a finalizer together with a spec of nothing but defaults, over the user's.
                .withUseSSAToPatchPrimaryResource(false)
                .withMetrics(MicrometerMetricsV2.newBuilder(metrics).build());
        if (configuration.leaderElection()) {
            overrider.withLeaderElectionConfiguration(
                    LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(Names.FIELD_MANAGER)
                            .withLeaseNamespace(configuration.operatorNamespace())
                            .withIdentity(lease.identity())
                            .withLeaseDuration(LEASE)
                            .withRenewDeadline(LEASE_RENEW)
                            .withRetryPeriod(LEASE_RETRY)
                            .withLeaderCallbacks(new LeaderCallbacks(
                                    () -> LOG.info("leading"),
                                    () -> stoppedLeading(lost),
                                    leader -> LOG.info("the leader is {}", leader)))
                            // Not to exit inside a shutdown hook; there is no other way to say so in this release.
                            .buildForTest(false));
        }
    }

    private static void configure(
            ControllerConfigurationOverrider<ComputeCluster> overrider, OperatorConfiguration configuration) {
        overrider
                .withName("computecluster")
                .withFinalizer(Names.FINALIZER)
                .withFieldManager(Names.FIELD_MANAGER)
                // Annotations count as well as the spec; our own status does not.
                .withGenerationAware(false)
                .withOnUpdateFilter((now, before) -> concerns(now, before))
                .withReconciliationMaxInterval(NOTHING_MISSED)
                .withRetry(new GenericRetry()
                        .setInitialInterval(RETRY_FIRST)
                        .setIntervalMultiplier(1.5)
                        .setMaxInterval(RETRY_LONGEST.toMillis())
                        .withoutMaxAttempts());
        if (configuration.watchNamespaces().isEmpty()) {
            overrider.watchingAllNamespaces();
        } else {
            overrider.settingNamespaces(configuration.watchNamespaces());
        }
    }

    private static boolean concerns(ComputeCluster now, ComputeCluster before) {
        return !Objects.equals(
                        now.getMetadata().getGeneration(), before.getMetadata().getGeneration())
                || !Objects.equals(
                        now.getMetadata().getAnnotations(), before.getMetadata().getAnnotations())
                || !Objects.equals(
                        now.getMetadata().getFinalizers(), before.getMetadata().getFinalizers())
                || !Objects.equals(
                        now.getMetadata().getDeletionTimestamp(),
                        before.getMetadata().getDeletionTimestamp());
    }

    private void stoppedLeading(Runnable lost) {
        if (!stopping.get()) {
            LOG.error("another operator leads now; this one ends");
            lost.run();
        }
    }

    private static String budgets(KubernetesClient client) {
        VersionInfo version = client.getKubernetesVersion();
        Matcher minor = DIGITS.matcher(version.getMinor());
        boolean old =
                version.getMajor().equals("1") && minor.find() && Integer.parseInt(minor.group()) < POLICY_V1_MINOR;
        return old ? "policy/v1beta1" : Budgets.POLICY_V1;
    }
}
