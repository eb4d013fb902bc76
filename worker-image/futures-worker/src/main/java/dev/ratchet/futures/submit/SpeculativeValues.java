/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.submit;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import java.util.Map;

/** Is told of values before they are recorded, where their submitter has asked for that. They may never be recorded. */
@FunctionalInterface
public interface SpeculativeValues {

    /** For requests whose client does not want to know. */
    SpeculativeValues NOBODY = values -> {};

    /**
     * Some futures have these values unless something comes between now and their record. Called by the thread of a
     * slot, before the outcome of the request is known: never blocks, and never fails.
     *
     * @param values serialised, 2 MB together
     */
    void told(Map<FutureId, ByteString> values);
}
