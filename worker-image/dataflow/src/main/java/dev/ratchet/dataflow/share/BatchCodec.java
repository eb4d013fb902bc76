/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.type.RowSchema;
import java.nio.ByteBuffer;

/** Batches as bytes between workers. Stateless. */
public interface BatchCodec {

    ByteBuffer encode(Batch batch);

    Batch decode(RowSchema schema, ByteBuffer bytes);
}
