/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.query;

import dev.ratchet.circuits.batch.Batch;
import java.util.Map;

/** What a reading of views was told. */
public sealed interface ViewEvent {

    record Rows(long step, Map<String, Batch> byView, boolean isSnapshot) implements ViewEvent {}

    record Progress(long step) implements ViewEvent {}

    record Expired(long oldestStep) implements ViewEvent {}

    record Failed(String reason) implements ViewEvent {}
}
