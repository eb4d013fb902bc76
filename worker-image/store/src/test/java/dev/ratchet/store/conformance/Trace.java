/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/** One recorded schedule: its name, and its operations with the answers that a real FoundationDB gave. */
record Trace(String name, List<JsonNode> operations) {

    /** All traces of one profile, from the test resources. */
    static List<Trace> read(String profile) throws IOException {
        ObjectMapper json = new ObjectMapper();
        List<Trace> traces = new ArrayList<>();
        try (InputStream resource = Objects.requireNonNull(
                        Trace.class.getResourceAsStream("/fdb-traces/" + profile + ".jsonl.gz"));
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(new GZIPInputStream(resource), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode node = json.readTree(line);
                if (node.has("trace")) {
                    traces.add(new Trace(node.get("trace").textValue(), new ArrayList<>()));
                } else {
                    traces.getLast().operations.add(node);
                }
            }
        }
        return traces;
    }
}
