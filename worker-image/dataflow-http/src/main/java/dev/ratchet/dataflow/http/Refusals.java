/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import dev.ratchet.dataflow.query.RefusedException;
import dev.ratchet.dataflow.query.ServedCircuit;

/** What a caller over HTTP is told of what the circuit does not do. */
final class Refusals {

    private Refusals() {}

    static HttpFailure told(ServedCircuit circuit, RefusedException refused) {
        String message = String.valueOf(refused.getMessage());
        HttpFailure failure =
                switch (refused.reason()) {
                    case NOT_RUNNING ->
                        new HttpFailure(503, message, "Try again; /v1/status tells what the circuit waits for")
                                .header("Retry-After", "1")
                                .detail("state", circuit.status().state().name());
                    case NO_SUCH_RELATION -> new HttpFailure(404, message, refused.remedy());
                    case MISTAKE -> new HttpFailure(400, message, refused.remedy());
                    case EXPIRED -> new HttpFailure(410, message, refused.remedy());
                    case TOO_LARGE -> new HttpFailure(413, message, refused.remedy());
                    case TOO_LONG -> new HttpFailure(422, message, refused.remedy());
                    case BUSY -> new HttpFailure(429, message, refused.remedy()).header("Retry-After", "1");
                };
        refused.details().forEach(failure::detail);
        return failure;
    }
}
