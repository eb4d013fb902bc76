/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.server;

import dev.ratchet.protocol.store.v1.Request;
import dev.ratchet.protocol.store.v1.Response;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What the server has done since it began, in the text format of Prometheus. Safe for use by several threads. */
final class StoreMetrics {

    private final Map<Request.KindCase, LongAdder> requests = new EnumMap<>(Request.KindCase.class);
    private final Map<Integer, LongAdder> errors = new ConcurrentHashMap<>();
    private final LongAdder sessions = new LongAdder();
    private final LongAdder opened = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder underWay = new LongAdder();
    private final LongAdder mutations = new LongAdder();

    StoreMetrics() {
        for (Request.KindCase kind : Request.KindCase.values()) {
            requests.put(kind, new LongAdder());
        }
    }

    void sessionOpened() {
        sessions.increment();
        opened.increment();
    }

    void sessionEnded() {
        sessions.decrement();
    }

    void sessionRefused() {
        refused.increment();
    }

    void requestBegan(Request request) {
        requests.getOrDefault(request.getKindCase(), refused).increment();
        mutations.add(request.getCommit().getMutationsCount());
        underWay.increment();
    }

    void requestEnded(Response response) {
        underWay.decrement();
        if (response.hasError()) {
            errors.computeIfAbsent(response.getError().getCode(), code -> new LongAdder())
                    .increment();
        }
    }

    String text() {
        StringBuilder text = new StringBuilder();
        single(text, "ratchet_store_sessions", "gauge", "Sessions open now.", sessions);
        single(text, "ratchet_store_sessions_opened_total", "counter", "Sessions opened.", opened);
        single(text, "ratchet_store_sessions_refused_total", "counter", "Sessions refused.", refused);
        single(
                text,
                "ratchet_store_requests_under_way",
                "gauge",
                "Requests not answered yet, watches included.",
                underWay);
        head(text, "ratchet_store_requests_total", "counter", "Requests by kind.");
        requests.forEach((kind, count) ->
                sample(text, "ratchet_store_requests_total", "kind", kind.name().toLowerCase(Locale.ROOT), count));
        single(text, "ratchet_store_mutations_total", "counter", "Changes asked for in commits.", mutations);
        head(text, "ratchet_store_errors_total", "counter", "Requests answered with an error, by FoundationDB's code.");
        errors.forEach((code, count) -> sample(text, "ratchet_store_errors_total", "code", code.toString(), count));
        return text.toString();
    }

    private static void single(StringBuilder text, String name, String type, String help, LongAdder value) {
        head(text, name, type, help);
        text.append(name).append(' ').append(value.sum()).append('\n');
    }

    private static void head(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void sample(StringBuilder text, String name, String label, String value, LongAdder count) {
        text.append(name).append('{').append(label).append("=\"").append(value).append("\"} ");
        text.append(count.sum()).append('\n');
    }
}
