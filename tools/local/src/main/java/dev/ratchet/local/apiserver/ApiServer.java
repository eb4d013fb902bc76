/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.controllers.Controllers;
import dev.ratchet.local.apiserver.http.HttpHandler;
import dev.ratchet.local.apiserver.http.HttpReply;
import dev.ratchet.local.apiserver.http.HttpRequest;
import dev.ratchet.local.apiserver.http.HttpServer;
import dev.ratchet.local.apiserver.http.ServerIdentity;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.logs.PodLogs;
import dev.ratchet.local.apiserver.objects.KindRules;
import dev.ratchet.local.apiserver.objects.ObjectDeletion;
import dev.ratchet.local.apiserver.objects.Objects;
import dev.ratchet.local.apiserver.objects.RequestAdmission;
import dev.ratchet.local.apiserver.objects.ServiceAddresses;
import dev.ratchet.local.apiserver.objects.WriteOptions;
import dev.ratchet.local.apiserver.registry.ResourceRegistry;
import dev.ratchet.local.apiserver.rest.ApiHandler;
import dev.ratchet.local.apiserver.store.ApiObjects;
import dev.ratchet.local.apiserver.store.StoredChange;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes API server in this process, on loopback, with all objects in memory. Whoever holds the kubeconfig may do
 * everything; nobody else anything but ask for its health. Started ready to serve; closed, it is gone with its objects.
 */
public final class ApiServer implements AutoCloseable {

    private static final List<String> NAMESPACES = List.of("default", "kube-system", "kube-public");
    private static final String DEFINITIONS = "apiextensions.k8s.io/customresourcedefinitions";

    private final Path kubeconfig;
    private final HttpServer server;
    private final Controllers controllers;
    private final AtomicReference<@Nullable PodLogs> logs;

    private ApiServer(
            Path kubeconfig, HttpServer server, Controllers controllers, AtomicReference<@Nullable PodLogs> logs) {
        this.kubeconfig = kubeconfig;
        this.server = server;
        this.controllers = controllers;
        this.logs = logs;
    }

    /**
     * Starts a server and writes its kubeconfig.
     *
     * @throws IOException when the port is taken or the kubeconfig can not be written; nothing is left running then
     */
    public static ApiServer start(ApiServerOptions options) throws IOException {
        // Keys and schemas are most of the time that a start takes, and have nothing to do with each other.
        CompletableFuture<ServerIdentity> identity = CompletableFuture.supplyAsync(ApiServer::newIdentity);
        ResourceRegistry registry = new ResourceRegistry();
        ApiObjects store = new ApiObjects(options.watchHistory());
        ServiceAddresses addresses = new ServiceAddresses(options.kubeconfig().toString());
        KindRules rules = new KindRules(addresses, registry.builtin("", "namespaces"));
        Objects objects = new Objects(store, new RequestAdmission(store, rules), new ObjectDeletion(store));
        store.listen(addresses::onChange);
        store.listen(change -> follow(change, registry));
        Controllers controllers = Controllers.start(registry, store, objects);
        AtomicReference<@Nullable PodLogs> logs = new AtomicReference<>();
        HttpServer server = null;
        try {
            createNamespaces(registry, objects);
            ServerIdentity made = identity.join();
            String token = newToken();
            AtomicReference<@Nullable ApiHandler> handler = new AtomicReference<>();
            server = HttpServer.start(made.tls(), options.port(), new WhenReady(handler));
            String address = "127.0.0.1:" + server.port();
            handler.set(new ApiHandler(registry, store, objects, logs::get, address, token));
            Kubeconfig.write(options.kubeconfig(), "https://" + address, made.authorityPem(), token);
            return new ApiServer(options.kubeconfig(), server, controllers, logs);
        } catch (IOException | RuntimeException e) {
            stop(server, controllers);
            throw e;
        }
    }

    /** Ends connections until there is a handler. */
    private record WhenReady(AtomicReference<@Nullable ApiHandler> handler) implements HttpHandler {
        @Override
        public boolean admits(String path, Map<String, String> headers) {
            ApiHandler ready = handler.get();
            return ready != null && ready.admits(path, headers);
        }

        @Override
        public void handle(HttpRequest request, HttpReply reply) throws IOException {
            ApiHandler ready = handler.get();
            if (ready == null) {
                throw new IOException("the server is still starting");
            }
            ready.handle(request, reply);
        }
    }

    /** The address that clients use, {@code https://127.0.0.1:<port>}. */
    public URI address() {
        return URI.create("https://127.0.0.1:" + server.port());
    }

    /** The file that clients are configured with: absolute, mode 0600. */
    public Path kubeconfig() {
        return kubeconfig;
    }

    /** Takes the text of {@code kubectl logs} from {@code source} from now on. */
    public void register(PodLogs source) {
        logs.set(source);
    }

    @Override
    public void close() throws IOException {
        stop(server, controllers);
    }

    private static void stop(@Nullable HttpServer server, Controllers controllers) throws IOException {
        controllers.close();
        if (server != null) {
            server.close();
        }
    }

    /** A definition is served from the write on that makes it, and until the write that removes it. */
    private static void follow(StoredChange change, ResourceRegistry registry) {
        if (change.storageKey().equals(DEFINITIONS)) {
            if (change.after() == null) {
                registry.undefine(Json.textAt(change.last(), "metadata", "name"));
            } else {
                registry.define(change.after());
            }
        }
    }

    private static void createNamespaces(ResourceRegistry registry, Objects objects) {
        for (String name : NAMESPACES) {
            ObjectNode namespace = Json.object();
            namespace.putObject("metadata").put("name", name);
            objects.create(registry.builtin("", "namespaces"), "", namespace, WriteOptions.internal());
        }
    }

    private static ServerIdentity newIdentity() {
        try {
            return ServerIdentity.create();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the server's certificate can not be made with this JDK", e);
        }
    }

    private static String newToken() {
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    }
}
