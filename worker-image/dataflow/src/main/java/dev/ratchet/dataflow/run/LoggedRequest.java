/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.run;

import com.apple.foundationdb.tuple.Versionstamp;
import dev.ratchet.protocol.dataflow.v1.LogRecord;

/** A request as the log has it: its head and the rows of all its tables, one after the other. */
record LoggedRequest(Versionstamp position, LogRecord head, byte[] rows) {}
