/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ratchet.cli.kubectl.Kubectl;
import dev.ratchet.cli.kubectl.PortForward;
import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.client.ConnectionDocument;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * A cluster by its ComputeCluster: the connection comes out of its client's Secret, and where no address of it can be
 * reached from here, the way goes through {@code kubectl port-forward}.
 */
final class KubectlConnection extends ConnectionMixin {

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "as for kubectl")
    private @Nullable Path kubeconfig;

    @Option(names = "--context", paramLabel = "NAME", description = "as for kubectl: a context of the kubeconfig")
    private @Nullable String context;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "as for kubectl")
    private @Nullable String namespace;

    @Option(
            names = {"-c", "--compute-cluster"},
            paramLabel = "NAME",
            description = "the ComputeCluster; may be left out where the namespace has only one")
    private @Nullable String name;

    @Option(
            names = "--client",
            paramLabel = "NAME",
            description = "as which of the cluster's access.clients (default: ${DEFAULT-VALUE})")
    private String client = "default";

    @Option(names = "--forward", description = "use kubectl port-forward even where the cluster answers directly")
    private boolean forward;

    Kubectl kubectl() {
        GatewayCommand.requireValue("--context", context);
        GatewayCommand.requireValue("--namespace", namespace);
        GatewayCommand.requireValue("--compute-cluster", name);
        List<String> options = new ArrayList<>();
        if (kubeconfig != null) {
            options.add("--kubeconfig=" + kubeconfig);
        }
        if (context != null) {
            options.add("--context=" + context);
        }
        if (namespace != null) {
            options.add("--namespace=" + namespace);
        }
        return new Kubectl(options);
    }

    /** The name of the cluster that was given; empty: none. */
    String givenName() {
        return name == null ? "" : name;
    }

    /** The ComputeCluster that is meant. */
    JsonNode cluster() {
        if (name != null) {
            return kubectl().json("get", "computecluster.ratchet.dev", name);
        }
        JsonNode all = kubectl().json("get", "computeclusters.ratchet.dev").path("items");
        if (all.size() != 1) {
            List<String> names = new ArrayList<>();
            all.forEach(one -> names.add(one.path("metadata").path("name").asText()));
            throw new InvalidInputException(
                    all.isEmpty()
                            ? "There is no ComputeCluster in this namespace. Name another one with --namespace."
                            : "There are several ComputeClusters here. Name one with --compute-cluster: "
                                    + String.join(", ", names));
        }
        return all.path(0);
    }

    @Override
    protected ConnectionOptions named() {
        return connect(cluster());
    }

    /** The connection document of a ComputeCluster's client. */
    String document(JsonNode cluster) {
        String secret = secretName(cluster);
        String encoded = kubectl()
                .json("get", "secret", secret)
                .path("data")
                .path("connection")
                .asText();
        if (encoded.isEmpty()) {
            throw new InvalidInputException(
                    "The Secret " + secret + " has no key 'connection' yet. Wait until the cluster is Ready.");
        }
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    }

    ConnectionOptions connect(JsonNode cluster) {
        String text = document(cluster);
        ConnectionDocument document = ConnectionDocument.parse(text);
        ConnectionOptions options = ConnectionOptions.ofDocument(text);
        return forward || !PortForward.isReachable(document.endpoints())
                ? options.withEndpoint(
                        PortForward.start(kubectl(), document.cluster() + "-client", PortForward.CLIENT_PORT))
                : options;
    }

    @Override
    protected ConnectionDocument namedCircuit() {
        ConnectionDocument document = ConnectionDocument.parse(document(cluster()));
        List<String> endpoints = document.circuitEndpoints();
        return endpoints.isEmpty() || (!forward && PortForward.isReachable(endpoints))
                ? document
                : document.withCircuitEndpoints(List.of(
                        PortForward.start(kubectl(), document.cluster() + "-circuit", PortForward.CIRCUIT_PORT)));
    }

    private String secretName(JsonNode cluster) {
        String clusterName = cluster.path("metadata").path("name").asText();
        JsonNode access = cluster.path("spec").path("access");
        String secret = clusterName + "-client";
        boolean hasDefault = access.path("defaultClient").asBoolean(true);
        if (!client.equals("default") || !hasDefault) {
            List<String> known = new ArrayList<>(hasDefault ? List.of("default") : List.of());
            secret = "";
            for (JsonNode one : access.path("clients")) {
                known.add(one.path("name").asText());
                if (one.path("name").asText().equals(client)) {
                    secret = one.path("secretName").asText(clusterName + "-client-" + client);
                }
            }
            if (secret.isEmpty()) {
                throw new InvalidInputException("The cluster " + clusterName + " has no client '" + client
                        + "'; it has: " + String.join(", ", known));
            }
        }
        boolean isCertManagers =
                access.path("certificates").path("type").asText().equals("CertManager");
        return isCertManagers ? secret + "-connection" : secret;
    }

    @Override
    protected boolean isGiven() {
        return true;
    }
}
