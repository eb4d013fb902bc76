/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import dev.ratchet.bench.cluster.Cluster;
import dev.ratchet.bench.cluster.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Starts again whatever has ended, after a short while, as a kubelet would: workers, clients, the store. Used by one
 * thread.
 */
final class Keeper {

    private static final long RESTART_MILLIS_MAX = 2_000;

    /** One place for a process, and when it may have a new one. */
    private final class Place {
        private final String name;
        private final Starter starter;
        private @Nullable JavaProcess process;
        private long notBefore = Long.MIN_VALUE;

        Place(String name, Starter starter) {
            this.name = name;
            this.starter = starter;
        }

        void look(long now) throws IOException {
            JavaProcess present = process;
            if (present != null && present.isAlive()) {
                return;
            }
            if (present != null) {
                endings.merge(name + " exit " + present.exitCode().orElse(-1), 1, Integer::sum);
                notBefore = now + random.nextLong(RESTART_MILLIS_MAX * 1_000_000);
                process = null;
            }
            if (now >= notBefore) {
                process = starter.start();
            }
        }
    }

    /** Starts a process. */
    private interface Starter {
        JavaProcess start() throws IOException;
    }

    private final Cluster cluster;
    private final Path directory;
    private final PromiseLedger ledger;
    private final RandomGenerator random;
    private final int clientCount;
    private final int window;
    private final Place store;
    private final List<Place> workers = new ArrayList<>();
    private final List<Place> clients = new ArrayList<>();
    private final List<String> jobs = new ArrayList<>();
    private final Map<String, Integer> endings = new TreeMap<>();

    Keeper(Cluster cluster, Path directory, PromiseLedger ledger, int clientCount, int window, RandomGenerator random) {
        this.cluster = cluster;
        this.directory = directory;
        this.ledger = ledger;
        this.clientCount = clientCount;
        this.window = window;
        this.random = random;
        store = new Place("store", () -> {
            cluster.store().restart();
            return cluster.store().process();
        });
        store.process = cluster.store().process();
        for (int number = 0; number < cluster.size(); number++) {
            int worker = number;
            Place place = new Place("worker", () -> {
                cluster.startWorker(worker);
                return cluster.worker(worker);
            });
            place.process = cluster.worker(worker);
            workers.add(place);
        }
        for (int number = 0; number < clientCount; number++) {
            int client = number;
            clients.add(new Place("client", () -> startClient(client)));
        }
    }

    private JavaProcess startClient(int client) throws IOException {
        String name = "load-" + jobs.size();
        jobs.add(name);
        Path connection = directory.resolve(name + ".json");
        Files.writeString(connection, cluster.connection(client, clientName(client)));
        JavaProcess process = JavaProcess.talking(
                Processes.OPTIONS,
                directory.resolve(name + ".log"),
                LoadClient.class,
                connection.toString(),
                name,
                Long.toString(random.nextLong()),
                Integer.toString(window));
        Thread.ofVirtual().start(() -> ledger.follow(name, process.output()));
        return process;
    }

    /** Starts what may be started now. */
    void look() throws IOException {
        long now = System.nanoTime();
        store.look(now);
        for (Place worker : workers) {
            worker.look(now);
        }
        for (Place client : clients) {
            client.look(now);
        }
    }

    /** Looks after store and workers alone from now on, and tells the clients to come to an end. */
    List<JavaProcess> stopClients() {
        List<JavaProcess> last = clients.stream()
                .map(place -> place.process)
                .filter(process -> process != null && process.isAlive())
                .toList();
        clients.clear();
        last.forEach(client -> client.tell("stop"));
        return last;
    }

    private static String clientName(int client) {
        return "client-" + client;
    }

    /** The names in the certificates of clients, those of all but one. */
    List<String> clientsWithout(int one) {
        return IntStream.range(0, clientCount)
                .filter(client -> client != one)
                .mapToObj(Keeper::clientName)
                .toList();
    }

    int clientCount() {
        return clientCount;
    }

    /** One of the clients that run, if any does. */
    @Nullable
    JavaProcess anyClient() {
        return clients.isEmpty() ? null : clients.get(random.nextInt(clients.size())).process;
    }

    /** The job of every client that there ever was. */
    List<String> jobs() {
        return List.copyOf(jobs);
    }

    /** How often what has ended with which exit code. */
    Map<String, Integer> endings() {
        return endings;
    }
}
