/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.apply;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Owns the limit of what is remembered: the entries used last, safe for threads. Forgetting costs a write, no more. */
final class LruMap {
    private static final int ENTRIES_MAX = 50_000;

    private LruMap() {}

    static <V> Map<String, V> bounded() {
        return Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > ENTRIES_MAX;
            }
        });
    }
}
