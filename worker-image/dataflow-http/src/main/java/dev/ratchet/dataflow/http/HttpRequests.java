/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.protocol.security.BoundedLog;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.URIUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives each request to what answers it, if its caller may ask, and tells him of what fails. */
final class HttpRequests extends Handler.Abstract {

    private static final Logger LOG = LoggerFactory.getLogger(HttpRequests.class);
    private static final int AUDITED_LENGTH_MAX = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int TOO_MANY_REQUESTS = 429;

    /** Answers one kind of request. */
    @FunctionalInterface
    interface Endpoint {
        void answer(Call call) throws IOException, InterruptedException;
    }

    /**
     * What answers a method at a path.
     *
     * @param parts how many parts the path has behind the version
     * @param writes whether it adds rows
     */
    record Route(String method, String kind, int parts, boolean writes, Endpoint endpoint) {
        boolean isAt(List<String> path) {
            return path.size() == parts && path.getFirst().equals(kind);
        }
    }

    private static final int DISCARDED_BYTES_MAX = 8 << 20;

    private final Callers callers;
    private final ClientBounds bounds;
    private final List<Route> routes;
    private final BoundedLog audit = new BoundedLog(LoggerFactory.getLogger("ratchet.audit"));
    private final BoundedLog refusedForNow = new BoundedLog(LOG);

    HttpRequests(Callers callers, ClientBounds bounds, List<Route> routes) {
        this.callers = callers;
        this.bounds = bounds;
        this.routes = routes;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        try {
            answer(request, response);
            callback.succeeded();
        } catch (HttpFailure failure) {
            tell(request, failure);
            refuse(request, response, callback, failure);
        } catch (IOException | InterruptedException broken) {
            if (broken instanceof HttpException) {
                // What came is not HTTP, which the server answers by itself.
                callback.failed(broken);
            } else {
                // The caller is gone and reads nothing, or this server ends and the caller learns why.
                refuse(request, response, callback, brokenOff(broken));
            }
        } catch (RuntimeException defect) {
            LOG.error(
                    "A request failed: method={} path={}",
                    request.getMethod(),
                    request.getHttpURI().getPath(),
                    defect);
            refuse(
                    request,
                    response,
                    callback,
                    new HttpFailure(500, "The request failed: " + defect, "See the log of the worker, and try again"));
        }
        return true;
    }

    private static HttpFailure brokenOff(Exception broken) {
        return new HttpFailure(
                        503,
                        "The request broke off before it was answered: " + broken,
                        "Send it again; another worker takes it, too")
                .header("Retry-After", "1");
    }

    private void tell(Request request, HttpFailure failure) {
        boolean isDenied = failure.status() == UNAUTHORIZED || failure.status() == FORBIDDEN;
        if (isDenied) {
            audit.warn(
                    "Refused: caller={} method={} remote={} reason={}",
                    Callers.claimed(request),
                    method(request),
                    Request.getRemoteAddr(request) + ":" + Request.getRemotePort(request),
                    failure.getMessage());
        } else if (failure.status() == TOO_MANY_REQUESTS) {
            refusedForNow.warn(
                    "Request refused for now: caller={} method={} reason={}",
                    Callers.claimed(request),
                    method(request),
                    failure.getMessage());
        }
    }

    private static String method(Request request) {
        String text = request.getMethod() + " " + request.getHttpURI().getPath();
        return text.length() <= AUDITED_LENGTH_MAX ? text : text.substring(0, AUDITED_LENGTH_MAX) + "...";
    }

    private void answer(Request request, Response response) throws IOException, InterruptedException {
        List<String> path = Stream.of(request.getHttpURI().getCanonicalPath().split("/"))
                .filter(part -> !part.isEmpty())
                .map(URIUtil::decodePath)
                .toList();
        List<Route> there = path.isEmpty() || !path.getFirst().equals("v1")
                ? List.of()
                : routes.stream()
                        .filter(route -> route.isAt(path.subList(1, path.size())))
                        .toList();
        if (path.size() < 2 || there.isEmpty()) {
            callers.check(request, false);
            throw new HttpFailure(
                    404,
                    "There is nothing at " + request.getHttpURI().getPath(),
                    "Ask /v1/program, /v1/status, /v1/tables/NAME, /v1/producers/NAME, /v1/views/NAME or /v1/query");
        }
        Route route = there.stream()
                .filter(one -> one.method().equals(request.getMethod()))
                .findFirst()
                .orElseThrow(() -> new HttpFailure(
                                405,
                                request.getMethod() + " is not for "
                                        + request.getHttpURI().getPath(),
                                "Use " + there.getFirst().method())
                        .header("Allow", there.getFirst().method()));
        try (ClientBounds.Open unused = bounds.begin(callers.check(request, route.writes()))) {
            Runnable admission = () -> callers.check(request, route.writes());
            route.endpoint().answer(new Call(request, response, path.subList(1, path.size()), admission));
        }
    }

    private static void refuse(Request request, Response response, Callback callback, HttpFailure failure) {
        if (response.isCommitted()) {
            callback.failed(failure);
            return;
        }
        ObjectNode document = HttpFailures.document(failure);
        response.reset();
        for (Map.Entry<String, String> header : failure.headers().entrySet()) {
            response.getHeaders().put(header.getKey(), header.getValue());
        }
        try {
            discardBody(request);
            new Call(request, response, List.of(), () -> {}).answer(failure.status(), document);
            callback.succeeded();
        } catch (IOException gone) {
            callback.failed(gone);
        }
    }

    /**
     * Reads what the caller still sends, up to a limit: a connection that is closed before that is reset, and the
     * caller may lose the answer. Who waits to be told to send (100-continue) has sent nothing.
     */
    private static void discardBody(Request request) {
        if (request.getHeaders().contains(HttpHeader.EXPECT)) {
            return;
        }
        try {
            byte[] some = new byte[8 << 10];
            InputStream rest = Request.asInputStream(request);
            for (int left = DISCARDED_BYTES_MAX, count = 0; count >= 0 && left > 0; left -= count) {
                count = rest.read(some, 0, Math.min(some.length, left));
            }
        } catch (IOException gone) {
            LOG.debug("The rest of a refused request could not be read", gone);
        }
    }
}
