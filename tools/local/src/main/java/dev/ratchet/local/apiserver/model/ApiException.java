/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.model;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.FieldError;
import dev.ratchet.local.apiserver.json.Json;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A request that fails in a way its client must learn of: carries the Kubernetes Status that is the answer, and nothing
 * else.
 */
public final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int code;
    private final transient ObjectNode status;

    private ApiException(int code, String reason, String message) {
        super(message);
        this.code = code;
        this.status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Failure").put("message", message);
        if (!reason.isEmpty()) {
            status.put("reason", reason);
        }
        status.put("code", (long) code);
    }

    public int code() {
        return code;
    }

    public String reason() {
        return Json.textAt(status, "reason");
    }

    public ObjectNode status() {
        return status;
    }

    public static ApiException badRequest(String message) {
        return new ApiException(400, "BadRequest", message);
    }

    public static ApiException unauthorized() {
        return new ApiException(401, "Unauthorized", "Unauthorized");
    }

    public static ApiException forbidden(ResourceType type, String name, String message) {
        return new ApiException(403, "Forbidden", quoted(type, name) + " is forbidden: " + message).about(type, name);
    }

    /** Nothing is made in a namespace that is being deleted; clients look for the cause. */
    public static ApiException namespaceTerminating(ResourceType type, String name, String namespace) {
        ApiException exception = forbidden(
                type,
                name,
                "unable to create new content in namespace " + namespace + " because it is being terminated");
        exception.addCauses(List.of(new FieldError(
                "metadata.namespace", "NamespaceTerminating", "namespace " + namespace + " is being terminated")));
        return exception;
    }

    public static ApiException notFound(ResourceType type, String name) {
        return new ApiException(404, "NotFound", quoted(type, name) + " not found").about(type, name);
    }

    public static ApiException noSuchPath() {
        return new ApiException(404, "NotFound", "the server could not find the requested resource");
    }

    public static ApiException methodNotAllowed(String message) {
        return new ApiException(405, "MethodNotAllowed", message);
    }

    public static ApiException notAcceptable(String message) {
        return new ApiException(406, "NotAcceptable", message);
    }

    public static ApiException alreadyExists(ResourceType type, String name) {
        return new ApiException(409, "AlreadyExists", quoted(type, name) + " already exists").about(type, name);
    }

    public static ApiException conflict(ResourceType type, String name, String message) {
        return new ApiException(
                        409, "Conflict", "Operation cannot be fulfilled on " + quoted(type, name) + ": " + message)
                .about(type, name);
    }

    /** Server-side apply met fields of other managers; {@code causes} maps each such field to its owner. */
    public static ApiException applyConflict(String message, List<FieldError> causes) {
        ApiException exception = new ApiException(409, "Conflict", message);
        exception.addCauses(causes);
        return exception;
    }

    public static ApiException expired(String message) {
        return new ApiException(410, "Expired", message);
    }

    public static ApiException unsupportedMediaType(String message) {
        return new ApiException(415, "UnsupportedMediaType", message);
    }

    public static ApiException invalid(ResourceType type, String name, List<FieldError> errors) {
        String all = errors.stream().map(FieldError::message).distinct().collect(Collectors.joining(", "));
        String kind = type.group().isEmpty() ? type.kind() : type.kind() + "." + type.group();
        String message = kind + " \"" + name + "\" is invalid: " + (errors.size() == 1 ? all : "[" + all + "]");
        ApiException exception = new ApiException(422, "Invalid", message).about(type, name);
        Json.ensure(exception.status, "details").put("kind", type.kind());
        exception.addCauses(errors);
        return exception;
    }

    /** A patch that does not fit, or options that contradict each other. */
    public static ApiException unprocessable(String message, List<FieldError> causes) {
        ApiException exception = new ApiException(422, "Invalid", message);
        exception.addCauses(causes);
        return exception;
    }

    public static ApiException tooManyRequests(String message) {
        return new ApiException(429, "TooManyRequests", message);
    }

    public static ApiException internal(String message) {
        return new ApiException(500, "InternalError", message);
    }

    public static ApiException versionFromTheFuture(long wanted, long current) {
        ApiException exception =
                new ApiException(504, "Timeout", "Too large resource version: " + wanted + ", current: " + current);
        ObjectNode details = Json.ensure(exception.status, "details");
        details.put("retryAfterSeconds", 1L);
        details.putArray("causes")
                .addObject()
                .put("reason", "ResourceVersionTooLarge")
                .put("message", "Too large resource version");
        return exception;
    }

    private ApiException about(ResourceType type, String name) {
        ObjectNode details = Json.ensure(status, "details");
        details.put("name", name);
        if (!type.group().isEmpty()) {
            details.put("group", type.group());
        }
        details.put("kind", type.plural());
        return this;
    }

    private void addCauses(List<FieldError> errors) {
        ArrayNode causes = Json.ensure(status, "details").putArray("causes");
        for (FieldError error : errors) {
            causes.addObject()
                    .put("reason", error.reason())
                    .put("message", error.detail())
                    .put("field", error.path());
        }
    }

    private static String quoted(ResourceType type, String name) {
        return type.resource() + " \"" + name + "\"";
    }
}
