/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.record;

import com.apple.foundationdb.tuple.Versionstamp;

/** What the log has of a producer: its last sequence and where the rows are. */
public record LastReceived(long sequence, Versionstamp position) {}
