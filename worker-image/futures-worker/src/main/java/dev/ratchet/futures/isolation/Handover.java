/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.futures.code.Serialized;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.nesting.TaskCall;
import dev.ratchet.futures.object.HeldObject;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.isolation.v1.Attempt;
import dev.ratchet.protocol.isolation.v1.Bytes;
import dev.ratchet.protocol.isolation.v1.Extent;
import dev.ratchet.protocol.isolation.v1.SharedBytes;
import dev.ratchet.protocol.isolation.v1.Value;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What one attempt is given and leaves, as far as it is large: in the object store's shared memory or files where it is
 * there, else in files of its own, which end with it.
 */
final class Handover implements AutoCloseable {

    /** What is not larger travels in the message. */
    static final int INLINE_BYTES_MAX = 256 << 10;

    /** All that travels in one message. */
    private static final int MESSAGE_BYTES_MAX = 8 << 20;

    private final Path directory;
    private final String name;
    private final List<Path> files = new ArrayList<>();
    private int inlineBytes;

    Handover(Path directory, String name) {
        this.directory = directory;
        this.name = name;
    }

    Attempt attempt(ByteString id, FutureRecord record, TaskCall.Inputs inputs) throws IOException {
        Attempt.Builder attempt = Attempt.newBuilder()
                .setId(id)
                .setRecord(record.toBuilder().clearArgument())
                .setFunction(inputs.function().digest())
                .setCode(inputs.function().record())
                .setArgument(bytes(inputs.argument()))
                .setActorWriter(inputs.actor().recorded().writer())
                .setActorState(inputs.actor().recorded().bytes())
                .setActorContent(bytes(inputs.actor().content()::newInput))
                .setActorBytesMax(inputs.actor().bytesMax());
        inputs.function().files().forEach(file -> attempt.addArtifacts(file.toString()));
        inputs.upstreams().forEach(upstream -> attempt.addUpstreams(Ids.bytes(upstream)));
        for (var value : inputs.values().entrySet()) {
            attempt.addValues(
                    Value.newBuilder().setFuture(Ids.bytes(value.getKey())).setContent(bytes(value.getValue())));
        }
        return attempt.build();
    }

    /** A file of its own to write so many bytes to. */
    SharedBytes room(long bytes) {
        return shared(nextFile(), bytes);
    }

    private Bytes bytes(Serialized value) throws IOException {
        Optional<SharedBytes> shared =
                value instanceof HeldObject held && held.bytes() > INLINE_BYTES_MAX ? held.shared() : Optional.empty();
        if (shared.isPresent()) {
            return Bytes.newBuilder().setShared(shared.get()).build();
        }
        try (InputStream in = value.open()) {
            byte[] start = in.readNBytes(INLINE_BYTES_MAX + 1);
            inlineBytes += start.length;
            if (start.length <= INLINE_BYTES_MAX && inlineBytes <= MESSAGE_BYTES_MAX) {
                return Bytes.newBuilder()
                        .setInline(UnsafeByteOperations.unsafeWrap(start))
                        .build();
            }
            inlineBytes -= start.length;
            Path file = nextFile();
            try (var out = Files.newOutputStream(file)) {
                out.write(start);
                long bytes = start.length + in.transferTo(out);
                return Bytes.newBuilder().setShared(shared(file, bytes)).build();
            }
        }
    }

    private Path nextFile() {
        Path file = directory.resolve(name + "-" + files.size());
        files.add(file);
        return file;
    }

    private static SharedBytes shared(Path file, long bytes) {
        return SharedBytes.newBuilder()
                .setFile(file.toString())
                .addExtents(Extent.newBuilder().setBytes(bytes))
                .build();
    }

    @Override
    public void close() throws IOException {
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
