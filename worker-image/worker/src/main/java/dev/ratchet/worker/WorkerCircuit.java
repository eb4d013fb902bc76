/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import com.apple.foundationdb.Database;
import dev.ratchet.dataflow.DataflowSettings;
import dev.ratchet.dataflow.DirectoryStateDisk;
import dev.ratchet.dataflow.JarSource;
import dev.ratchet.dataflow.ShareFeed;
import dev.ratchet.dataflow.exchange.ExchangeSettings;
import dev.ratchet.dataflow.exchange.TcpExchange;
import dev.ratchet.dataflow.http.CircuitHttpServer;
import dev.ratchet.dataflow.http.HttpLimits;
import dev.ratchet.dataflow.process.Dataflow;
import dev.ratchet.dataflow.query.DataflowCircuit;
import dev.ratchet.dataflow.query.ServedCircuit;
import dev.ratchet.dataflow.query.TableIntake;
import dev.ratchet.dataflow.query.ViewAnswers;
import dev.ratchet.dataflow.query.WaitingBytes;
import dev.ratchet.dataflow.share.DataflowShares;
import dev.ratchet.dataflow.share.ViewReader;
import dev.ratchet.dataflow.sink.Sinks;
import dev.ratchet.environment.Environment;
import dev.ratchet.feeds.FedCircuit;
import dev.ratchet.membership.Metric;
import dev.ratchet.membership.process.Membership;
import dev.ratchet.protocol.coordinator.v1.CircuitReport;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.store.keyspace.Keyspace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The circuit of this worker put together: its exchange with the others, its steps, and what it serves over HTTP. */
final class WorkerCircuit implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerCircuit.class);

    private final TcpExchange exchange;
    private final Dataflow dataflow;
    private final CircuitReports reports = new CircuitReports();
    private final Environment environment;
    private final Sinks sinks;
    private final CircuitHttpServer http;
    private final ViewAnswers answers;
    private final TableIntake intake;
    private final FedCircuit fed;
    private final CircuitMetrics metrics;
    private final CircuitWorkMetrics workMetrics;
    private volatile boolean isCoordinator;

    /**
     * What it works with.
     *
     * @param address {@code host:port} where this worker serves gRPC
     * @param stateDirectory where the state of circuits is kept
     * @param tokenFile whose content lets a caller over HTTP do everything; empty: no tokens
     */
    record Parts(
            Database database,
            Keyspace keyspace,
            Membership membership,
            PeerChannels peers,
            String address,
            MutualTls security,
            Identity self,
            AllowedClients clients,
            Path stateDirectory,
            Optional<Path> tokenFile,
            Environment environment) {}

    /**
     * Opens the ports.
     *
     * @param jars where jars of programs are
     * @param exchange where the other workers of the circuit reach this one
     * @param host address at which they do
     * @param http where its clients do
     * @throws IOException where a port can not be opened
     */
    WorkerCircuit(Parts parts, JarSource jars, InetSocketAddress exchange, InetAddress host, InetSocketAddress http)
            throws IOException {
        this.environment = parts.environment();
        this.exchange = new TcpExchange(
                exchange,
                host,
                parts.security(),
                parts.self(),
                ExchangeSettings.defaults(),
                parts.keyspace().formats()::get,
                parts.environment());
        this.dataflow = new Dataflow(
                parts.database(),
                parts.keyspace(),
                parts.membership().seat(),
                parts.membership().liveness(),
                parts.address(),
                this.exchange,
                new DirectoryStateDisk(parts.stateDirectory()),
                jars,
                parts.environment());
        DataflowShares shares =
                new DataflowShares(dataflow, other -> parts.peers().listening(other.seat(), other.address()));
        ViewReader views = new ViewReader(shares, parts.environment(), ViewReader.Limits.DEFAULT);
        this.sinks = new Sinks(
                parts.database(),
                parts.keyspace(),
                parts.membership().seat(),
                dataflow::program,
                views,
                parts.environment());
        dataflow.accompany(sinks);
        this.fed = new FedCircuit(dataflow::program, views);
        ServedCircuit circuit = new DataflowCircuit(dataflow, views);
        this.answers = new ViewAnswers(circuit, ViewAnswers.Limits.DEFAULT);
        this.intake = new TableIntake(circuit, new WaitingBytes(WaitingBytes.DEFAULT_MAX));
        this.http = new CircuitHttpServer(
                http,
                parts.security().serverContext(),
                new CircuitAccess(parts.clients(), parts.self()),
                parts.tokenFile(),
                circuit,
                answers,
                intake,
                HttpLimits.DEFAULT);
        try {
            this.http.start();
        } catch (IllegalStateException taken) {
            this.exchange.close();
            throw taken;
        }
        metrics = new CircuitMetrics(dataflow::status, () -> isCoordinator);
        workMetrics = new CircuitWorkMetrics(dataflow::work);
        LOG.info("The circuit is served: exchange={} http={}", this.exchange.address(), http);
    }

    void configure(Optional<DataflowSettings> settings) {
        dataflow.configure(settings);
        sinks.configure(settings);
    }

    /** Makes what does not need the seat, while it is being taken; nothing is written. */
    void prepare() {
        dataflow.prepare();
    }

    /** Begins to take part; the seat has been taken. */
    void start() {
        dataflow.start();
    }

    void elected(long term) {
        isCoordinator = term != 0;
        dataflow.elected(term);
        sinks.elected(term);
    }

    /** To be published from the beginning. */
    List<Metric> metrics() {
        List<Metric> all = new ArrayList<>(exchange.metrics());
        all.addAll(metrics.fixed());
        return all;
    }

    /** To be published, too, from now on. One thread at a time. */
    List<Metric> furtherMetrics() {
        List<Metric> all = new ArrayList<>(metrics.appeared());
        all.addAll(workMetrics.appeared());
        return all;
    }

    /** What follows its views. */
    FedCircuit fed() {
        return fed;
    }

    /** What reads its views. */
    ViewAnswers answers() {
        return answers;
    }

    /** What takes its rows. */
    TableIntake intake() {
        return intake;
    }

    ShareFeed shares() {
        return dataflow.shares();
    }

    CircuitReport report() {
        return reports.of(dataflow.status(), environment.nanoTime());
    }

    /** Serves nobody any more, leaves the run, and closes the ports. */
    @Override
    public void close() {
        List<AutoCloseable> opened = List.of(http, sinks, dataflow, exchange);
        for (AutoCloseable one : opened) {
            try {
                one.close();
            } catch (Exception failed) {
                LOG.warn("A part of the circuit could not be closed: {}", failed.toString());
            }
        }
    }
}
