/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.cli.context.Contexts;
import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.client.ConnectionDocument;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * A cluster by the file of its connection or by the name that the user gave it: what the command says comes before what
 * the environment says, and that before the current context.
 */
class ContextConnection extends ConnectionMixin {

    @Option(
            names = "--connection",
            paramLabel = "FILE",
            description = "the key 'connection' of the client's Secret; default $RATCHET_CONNECTION")
    private @Nullable Path connection;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "a connection by its name, see 'ratchet context'; default the current one")
    private @Nullable String context;

    @Option(
            names = "--endpoint",
            paramLabel = "HOST:PORT",
            description = "ask this worker instead of those of the connection; may be repeated")
    private List<String> endpoints = new ArrayList<>();

    private final Contexts contexts;

    ContextConnection() {
        this(Contexts.ofUser());
    }

    ContextConnection(Contexts contexts) {
        this.contexts = contexts;
    }

    @Override
    protected ConnectionOptions named() {
        ConnectionOptions options = document();
        for (String endpoint : givenEndpoints()) {
            options = options.withEndpoint(endpoint);
        }
        return options;
    }

    @Override
    protected ConnectionDocument namedCircuit() {
        ConnectionDocument document = ConnectionDocument.parse(document().document());
        return givenEndpoints().isEmpty() ? document : document.withCircuitEndpoints(endpoints);
    }

    private List<String> givenEndpoints() {
        for (String endpoint : endpoints) {
            if (!endpoint.matches("(\\[[0-9a-fA-F:]+\\]|[^:]+):[0-9]{1,5}")) {
                throw new InvalidInputException("--endpoint is HOST:PORT, not '" + endpoint + "'.");
            }
        }
        return endpoints;
    }

    private ConnectionOptions document() {
        GatewayCommand.requireValue("--context", context);
        if (connection != null && context != null) {
            throw new InvalidInputException("Give either --connection or --context.");
        }
        if (connection != null) {
            return ConnectionOptions.ofFile(connection);
        }
        if (context == null && isInEnvironment()) {
            return ConnectionOptions.fromEnvironment();
        }
        Optional<String> name = context == null ? contexts.current() : Optional.of(context);
        return ConnectionOptions.ofDocument(contexts.document(name.orElseThrow(() -> new InvalidInputException(
                "No cluster is named. Give --connection FILE with the key 'connection' of a client's Secret, set "
                        + ConnectionOptions.ENVIRONMENT_VARIABLE
                        + " to that file, or keep it with 'ratchet context add NAME --connection FILE' and choose it by"
                        + " 'ratchet context use NAME' or --context NAME."))));
    }

    @Override
    protected boolean isGiven() {
        return connection != null
                || context != null
                || isInEnvironment()
                || contexts.current().isPresent();
    }

    private static boolean isInEnvironment() {
        String file = System.getenv(ConnectionOptions.ENVIRONMENT_VARIABLE);
        return file != null && !file.isEmpty();
    }
}
