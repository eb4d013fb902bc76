/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.http.HttpReply;
import dev.ratchet.local.apiserver.http.HttpRequest;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.logs.LogRequest;
import dev.ratchet.local.apiserver.logs.PodLogs;
import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.model.LabelSelector;
import dev.ratchet.local.apiserver.model.Metadata;
import dev.ratchet.local.apiserver.objects.DeleteOptions;
import dev.ratchet.local.apiserver.objects.Objects;
import dev.ratchet.local.apiserver.objects.WriteOptions;
import dev.ratchet.local.apiserver.store.ApiObjects;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What only pods have: logs, eviction, binding. */
final class PodSubresources {

    /** What would carry the streams of a process: not needed where the processes are on the caller's machine. */
    static final Set<String> STREAMS = Set.of("exec", "attach", "portforward");

    private final ApiObjects store;
    private final Objects objects;
    private final Supplier<@Nullable PodLogs> logs;

    PodSubresources(ApiObjects store, Objects objects, Supplier<@Nullable PodLogs> logs) {
        this.store = store;
        this.objects = objects;
        this.logs = logs;
    }

    /** Says what to use instead. */
    static ApiException noStream(ObjectNode pod, String subresource) {
        String address = Json.textAt(pod, "status", "podIP");
        return ApiException.badRequest(
                subresource.equals("portforward")
                        ? "the local environment forwards no ports, because none is out of reach: connect to "
                                + (address.isEmpty() ? "the address that the pod will get" : address) + " itself"
                        : "the local environment has no " + subresource + ": the pod " + Metadata.name(pod)
                                + " is processes of this machine, at "
                                + (address.isEmpty() ? "no address yet" : address)
                                + ". Run the command here; its files are below pods/" + Metadata.uid(pod)
                                + " beside the kubeconfig, and what ratchet needs of them is said in docs/local.md");
    }

    void log(ResourcePath path, HttpRequest request, HttpReply reply) throws IOException {
        ObjectNode pod = objects.get(path.type(), path.namespace(), path.name());
        LogRequest wanted = logRequest(pod, request);
        PodLogs source = logs.get();
        if (source == null) {
            throw ApiException.internal("no kubelet has registered with this server, so there are no logs");
        }
        try (LazyStream out = new LazyStream(reply)) {
            source.write(wanted, out);
        } catch (PodLogs.LogNotAvailableException e) {
            if (reply.isStarted()) {
                throw new IOException("a log ended in the middle", e);
            }
            throw ApiException.badRequest(String.valueOf(e.getMessage()));
        }
        if (!reply.isStarted()) {
            reply.send(200, "text/plain", new byte[0]);
        }
    }

    private static LogRequest logRequest(ObjectNode pod, HttpRequest request) {
        String since = request.parameter("sinceTime");
        long sinceSeconds = ListHandler.number(request, "sinceSeconds");
        @Nullable Instant from = sinceSeconds > 0 ? Instant.now().minusSeconds(sinceSeconds) : Metadata.instant(since);
        return new LogRequest(
                Metadata.namespace(pod),
                Metadata.name(pod),
                Metadata.uid(pod),
                container(pod, request.parameter("container")),
                request.flag("follow"),
                request.flag("previous"),
                request.flag("timestamps"),
                optional(request, "tailLines"),
                from,
                optional(request, "limitBytes"));
    }

    private static OptionalLong optional(HttpRequest request, String parameter) {
        return request.parameter(parameter).isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(ListHandler.number(request, parameter));
    }

    private static String container(ObjectNode pod, String wanted) {
        List<String> names = new ArrayList<>();
        for (String list : List.of("containers", "initContainers")) {
            pod.path("spec")
                    .path(list)
                    .forEach(container -> names.add(container.path("name").asText()));
        }
        if (!wanted.isEmpty()) {
            if (!names.contains(wanted)) {
                throw ApiException.badRequest("container " + wanted + " is not valid for pod " + Metadata.name(pod));
            }
            return wanted;
        }
        if (pod.path("spec").path("containers").size() > 1) {
            throw ApiException.badRequest("a container name must be specified for pod " + Metadata.name(pod)
                    + ", choose one of: [" + String.join(" ", names) + "]");
        }
        return names.get(0);
    }

    /** Deletes a pod unless a PodDisruptionBudget forbids it now. */
    JsonNode evict(ResourcePath path, ObjectNode eviction) {
        ObjectNode pod = objects.get(path.type(), path.namespace(), path.name());
        for (ObjectNode budget :
                store.list("policy/poddisruptionbudgets", path.namespace()).objects()) {
            LabelSelector selector = LabelSelector.of(Json.at(budget, "spec", "selector"));
            if (selector != null
                    && selector.matches(Metadata.labels(pod))
                    && isReady(pod)
                    && !allows(budget, selector)) {
                throw ApiException.tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.");
            }
        }
        JsonNode options = eviction.path("deleteOptions");
        objects.delete(path.type(), path.namespace(), path.name(), DeleteOptions.of(options, "", "", false));
        return success(201);
    }

    private boolean allows(ObjectNode budget, LabelSelector selector) {
        int ready = 0;
        int all = 0;
        for (ObjectNode pod : store.list("/pods", Metadata.namespace(budget)).objects()) {
            if (selector.matches(Metadata.labels(pod))) {
                all++;
                ready += isReady(pod) && !Metadata.isDeleting(pod) ? 1 : 0;
            }
        }
        JsonNode spec = budget.path("spec");
        long needed = spec.has("minAvailable")
                ? count(spec.path("minAvailable"), all)
                : all - count(spec.path("maxUnavailable"), all);
        return ready - 1 >= needed;
    }

    private static long count(JsonNode intOrPercent, int all) {
        String text = intOrPercent.asText();
        return text.endsWith("%")
                ? (long) Math.ceil(Long.parseLong(text.substring(0, text.length() - 1)) * all / 100.0)
                : intOrPercent.asLong();
    }

    private static boolean isReady(ObjectNode pod) {
        for (JsonNode condition : pod.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }

    /** Puts a pod on a node, as the scheduler does. */
    JsonNode bind(ResourcePath path, ObjectNode binding, WriteOptions options) {
        String node = Json.textAt(binding, "target", "name");
        objects.modify(
                path.type(),
                path.namespace(),
                path.name(),
                "",
                current -> {
                    String bound = Json.textAt(current, "spec", "nodeName");
                    if (!bound.isEmpty() && !bound.equals(node)) {
                        throw ApiException.conflict(
                                path.type(),
                                path.name(),
                                "pod " + path.name() + " is already assigned to node \"" + bound + "\"");
                    }
                    ObjectNode next = current.deepCopy();
                    Json.ensure(next, "spec").put("nodeName", node);
                    return next;
                },
                options);
        return success(201);
    }

    static ObjectNode success(int code) {
        ObjectNode status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return status.put("status", "Success").put("code", (long) code);
    }

    /** Starts the reply with the first byte, so that an error before it is still an error for the client. */
    private static final class LazyStream extends OutputStream {
        private final HttpReply reply;
        private @Nullable OutputStream out;

        LazyStream(HttpReply reply) {
            this.reply = reply;
        }

        private OutputStream out() throws IOException {
            OutputStream started = out;
            if (started == null) {
                started = reply.stream(200, "text/plain");
                out = started;
            }
            return started;
        }

        @Override
        public void write(int b) throws IOException {
            out().write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            out().write(bytes, offset, count);
        }

        @Override
        public void flush() throws IOException {
            out().flush();
        }

        /** Ends a reply that has begun; an empty log is an empty reply, but a failure before the first byte is none. */
        @Override
        public void close() throws IOException {
            if (out != null) {
                out.close();
            }
        }
    }
}
