/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.proxy;

import dev.ratchet.local.kubelet.Follower;
import io.fabric8.kubernetes.api.model.EndpointSubset;
import io.fabric8.kubernetes.api.model.Endpoints;
import io.fabric8.kubernetes.api.model.EndpointsBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps Endpoints and forwarders in step with Services and pods. One thread does the work, a namespace at a time, so
 * that many changes at once cost one pass; an address that can not be listened on is tried again. It writes Endpoints
 * only when they differ from what it wrote last.
 */
public final class ServiceNetwork implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceNetwork.class);
    private static final long RETRY_MILLIS = 2000;
    private static final long GATHER_MILLIS = 10;

    private final KubernetesClient client;
    private final SharedIndexInformer<Service> services;
    private final SharedIndexInformer<Pod> pods;
    private final Set<String> dirty = ConcurrentHashMap.newKeySet();
    private final Map<String, List<EndpointSubset>> written = new HashMap<>();
    private final Map<InetSocketAddress, TcpForwarder> forwarders = new HashMap<>();
    private final Map<String, Set<InetSocketAddress>> addresses = new HashMap<>();
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("service-network").factory());

    private ServiceNetwork(KubernetesClient client) {
        this.client = client;
        this.services = client.services().inAnyNamespace().runnableInformer(0);
        this.pods = client.pods().inAnyNamespace().runnableInformer(0);
    }

    /** Starts to follow what {@code client} shows, which is not closed; the first pass follows at once. */
    public static ServiceNetwork start(KubernetesClient client) {
        ServiceNetwork network = new ServiceNetwork(client);
        network.services.addEventHandler(new Follower<>(network::changed, network::changed));
        network.pods.addEventHandler(new Follower<>(network::changed, network::changed));
        network.services.run();
        network.pods.run();
        return network;
    }

    private void changed(HasMetadata object) {
        mark(object.getMetadata().getNamespace(), GATHER_MILLIS);
    }

    private void mark(String namespace, long delayMillis) {
        if (dirty.add(namespace)) {
            try {
                worker.schedule(() -> update(namespace), delayMillis, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                LOG.debug("the service network is closed: {}", e.toString());
            }
        }
    }

    private void update(String namespace) {
        dirty.remove(namespace);
        List<Service> present = services.getStore().list().stream()
                .filter(service -> service.getMetadata().getNamespace().equals(namespace))
                .toList();
        List<Pod> candidates = pods.getStore().list().stream()
                .filter(pod -> pod.getMetadata().getNamespace().equals(namespace))
                .toList();
        Set<String> names = new HashSet<>();
        boolean failed = false;
        for (Service service : present) {
            String key = namespace + "/" + service.getMetadata().getName();
            names.add(key);
            List<EndpointSubset> subsets = Backends.subsets(service, candidates);
            try {
                forward(key, service, subsets);
                write(key, service, subsets);
            } catch (IOException | KubernetesClientException e) {
                failed = true;
                LOG.warn("a service does not work yet, it is tried again: service={} cause={}", key, e.toString());
            }
        }
        for (String key : Set.copyOf(addresses.keySet())) {
            if (key.startsWith(namespace + "/") && !names.contains(key)) {
                forget(key);
            }
        }
        if (failed) {
            mark(namespace, RETRY_MILLIS);
        }
    }

    private void forward(String key, Service service, List<EndpointSubset> subsets) throws IOException {
        String clusterIp = service.getSpec().getClusterIP();
        Set<InetSocketAddress> wanted = new HashSet<>();
        if (clusterIp != null && !clusterIp.isEmpty() && !clusterIp.equals("None")) {
            for (ServicePort port : service.getSpec().getPorts()) {
                wanted.add(new InetSocketAddress(clusterIp, port.getPort()));
            }
        }
        Set<InetSocketAddress> before = addresses.put(key, wanted);
        if (before != null) {
            before.stream().filter(address -> !wanted.contains(address)).forEach(this::stop);
        }
        for (InetSocketAddress address : wanted) {
            TcpForwarder forwarder = forwarders.get(address);
            if (forwarder == null) {
                forwarder = TcpForwarder.listen(address);
                forwarders.put(address, forwarder);
            }
            for (ServicePort port : service.getSpec().getPorts()) {
                if (port.getPort() == address.getPort()) {
                    forwarder.targets(Backends.ready(subsets, port));
                }
            }
        }
    }

    private void write(String key, Service service, List<EndpointSubset> subsets) {
        Map<String, String> selector = service.getSpec().getSelector();
        if (selector == null || selector.isEmpty() || subsets.equals(written.get(key))) {
            return;
        }
        Endpoints endpoints = new EndpointsBuilder()
                .withNewMetadata()
                .withName(service.getMetadata().getName())
                .withNamespace(service.getMetadata().getNamespace())
                .addNewOwnerReference()
                .withApiVersion("v1")
                .withKind("Service")
                .withName(service.getMetadata().getName())
                .withUid(service.getMetadata().getUid())
                .endOwnerReference()
                .endMetadata()
                .withSubsets(subsets)
                .build();
        client.endpoints()
                .inNamespace(service.getMetadata().getNamespace())
                .resource(endpoints)
                .createOr(target -> target.update());
        written.put(key, subsets);
    }

    private void forget(String key) {
        Set<InetSocketAddress> before = addresses.remove(key);
        if (before != null) {
            before.forEach(this::stop);
        }
        written.remove(key);
    }

    private void stop(InetSocketAddress address) {
        TcpForwarder forwarder = forwarders.remove(address);
        if (forwarder != null) {
            forwarder.close();
        }
    }

    @Override
    public void close() {
        services.stop();
        pods.stop();
        worker.shutdownNow();
        try {
            if (worker.awaitTermination(5, TimeUnit.SECONDS)) {
                forwarders.values().forEach(TcpForwarder::close);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
