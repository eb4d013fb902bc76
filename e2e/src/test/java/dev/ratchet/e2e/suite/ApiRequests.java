/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import dev.ratchet.e2e.environment.TestEnvironment;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the operator has asked of the API server so far, without watches and the lease.
 *
 * @param reads get and list
 * @param writes everything that could change something
 */
record ApiRequests(long reads, long writes) {

    private static final Pattern COUNTER =
            Pattern.compile("ratchet_operator_api_requests_total\\{([^}]*)\\}\\s+([0-9.E+]+)");
    private static final List<String> WRITES = List.of("create", "update", "patch", "delete");

    static ApiRequests of(TestEnvironment environment) {
        long reads = 0;
        long writes = 0;
        Matcher counter = COUNTER.matcher(environment.operatorMetrics());
        while (counter.find()) {
            String labels = counter.group(1);
            long count = (long) Double.parseDouble(counter.group(2));
            if (labels.contains("resource=\"leases\"") || labels.contains("verb=\"watch\"")) {
                continue;
            }
            if (WRITES.stream().anyMatch(verb -> labels.contains("verb=\"" + verb + "\""))) {
                writes += count;
            } else {
                reads += count;
            }
        }
        return new ApiRequests(reads, writes);
    }

    ApiRequests since(ApiRequests earlier) {
        return new ApiRequests(reads - earlier.reads, writes - earlier.writes);
    }
}
