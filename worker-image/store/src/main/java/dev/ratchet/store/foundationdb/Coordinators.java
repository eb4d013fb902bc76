/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.foundationdb;

import dev.ratchet.store.foundationdb.ClusterFile.Coordinator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Finds out why a cluster does not answer, which the client library waits out without a word. */
final class Coordinators {

    private static final int CONNECT_MILLIS = 2_000;

    private Coordinators() {}

    /** Why the cluster of {@code file} gives no answer. Blocks for up to two seconds. */
    static String silence(ClusterFile file) throws InterruptedException {
        List<String> refusals = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> said = file.coordinators().stream()
                    .map(coordinator -> threads.submit(() -> refusal(coordinator)))
                    .toList();
            for (Future<String> one : said) {
                refusals.add(one.get());
            }
        } catch (ExecutionException defect) {
            throw new IllegalStateException("A coordinator could not be tried", defect);
        }
        List<String> refused =
                refusals.stream().filter(refusal -> !refusal.isEmpty()).toList();
        if (refused.size() * 2 < refusals.size()) {
            return "FoundationDB does not answer, although coordinators of " + file.path()
                    + " take connections: check that `fdbcli --exec status` says it is available, that libfdb_c is of"
                    + " the servers' minor version or has theirs in its folder of further libraries, and that both"
                    + " sides want TLS or neither does";
        }
        return "FoundationDB does not answer, because most of the coordinators in " + file.path()
                + " can not be reached (" + String.join("; ", refused)
                + "): check that they run, that the network lets this process reach them, and that the file is the"
                + " cluster's newest";
    }

    private static String refusal(Coordinator coordinator) {
        String host = coordinator.host();
        String plain = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        InetSocketAddress address = new InetSocketAddress(plain, coordinator.port());
        if (address.isUnresolved()) {
            return coordinator + ": unknown host";
        }
        try (Socket socket = new Socket()) {
            socket.connect(address, CONNECT_MILLIS);
            return "";
        } catch (IOException refused) {
            return coordinator + ": " + refused.getMessage();
        }
    }
}
