/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.client.TaskStore;
import dev.ratchet.protocol.isolation.v1.FromProcess;
import dev.ratchet.protocol.isolation.v1.ReadStore;
import dev.ratchet.protocol.isolation.v1.StoreValue;
import dev.ratchet.protocol.isolation.v1.WriteStore;
import java.util.Optional;

/** The store of a task, which its worker keeps for it. */
record WorkerStore(GivenAttempt attempt) implements TaskStore {

    @Override
    public Optional<byte[]> get(byte[] key) {
        StoreValue value = attempt.ask(FromProcess.newBuilder()
                        .setReadStore(ReadStore.newBuilder().setKey(ByteString.copyFrom(key)))
                        .build())
                .getStoreValue();
        return value.hasValue() ? Optional.of(value.getValue().toByteArray()) : Optional.empty();
    }

    @Override
    public void set(byte[] key, byte[] value) {
        write(WriteStore.newBuilder().setKey(ByteString.copyFrom(key)).setValue(ByteString.copyFrom(value)));
    }

    @Override
    public void clear(byte[] key) {
        write(WriteStore.newBuilder().setKey(UnsafeByteOperations.unsafeWrap(key)));
    }

    private void write(WriteStore.Builder entry) {
        var unused = attempt.ask(FromProcess.newBuilder().setWriteStore(entry).build());
    }
}
