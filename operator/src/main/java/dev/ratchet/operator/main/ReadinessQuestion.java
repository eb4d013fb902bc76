/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.main;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * {@code operator ready URL}: asks a running operator whether it is ready. What {@code helm test} runs, with the
 * operator's own image, so that no image with a shell and an HTTP client is needed.
 */
final class ReadinessQuestion {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int USAGE = 2;

    private ReadinessQuestion() {}

    /** Asks once and returns the exit code: 0 ready, 1 not ready or not reached, 2 wrong arguments. */
    static int ask(String[] arguments, PrintStream out, PrintStream err) throws InterruptedException {
        if (arguments.length != 2 || !arguments[0].equals("ready")) {
            err.println("operator: takes no arguments, or: ready http://HOST:PORT/readyz");
            return USAGE;
        }
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(arguments[1]))
                    .timeout(TIMEOUT)
                    .build();
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            out.println(arguments[1] + " answers " + answer.statusCode() + " "
                    + answer.body().strip());
            return answer.statusCode() == OK ? 0 : 1;
        } catch (IllegalArgumentException mistake) {
            err.println("operator: " + arguments[1] + " is no URL of HTTP: " + mistake.getMessage());
            return USAGE;
        } catch (IOException unreachable) {
            err.println("operator: " + arguments[1] + " does not answer: " + unreachable);
            return 1;
        }
    }
}
