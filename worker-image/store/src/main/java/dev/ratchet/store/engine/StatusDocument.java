/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import java.nio.charset.StandardCharsets;

/** What the engine says about itself, in the places where FoundationDB's clients look for it. */
final class StatusDocument {

    private StatusDocument() {}

    static byte[] of(History.Published newest, History history, int watches, long conflictBytes) {
        String document = """
                {"client":{"cluster_file":{"up_to_date":true},"coordinators":{"quorum_reachable":true},\
                "database_status":{"available":true,"healthy":true}},\
                "cluster":{"configuration":{"storage_engine":"ratchet-embedded"},\
                "database_available":true,"database_lock_state":{"locked":%b},\
                "data":{"total_kv_size_bytes":%d},\
                "ratchet":{"version":%d,"oldest_readable_version":%d,\
                "window_cost_bytes":%d,"conflict_bytes":%d,"watches":%d}}}""".formatted(
                        newest.locked(),
                        newest.data().weight(),
                        newest.version(),
                        history.oldestVersion(),
                        history.costBytes(),
                        conflictBytes,
                        watches);
        return document.getBytes(StandardCharsets.UTF_8);
    }
}
