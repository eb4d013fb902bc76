/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.flink.rows;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A sink of two phases: rows are part of the checkpoint, and are told when it is complete. Nothing goes to a disk of
 * its own, and nobody is asked for a transaction, in favour of Flink.
 */
record CommittedSink(int port) implements Sink<Tuple2<Long, Long>>, SupportsCommitter<long[]> {

    private static final long serialVersionUID = 1;
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int FIRST_ROWS = 1_024;

    @Override
    public CommittingSinkWriter<Tuple2<Long, Long>, long[]> createWriter(WriterInitContext context) {
        return new Writer();
    }

    @Override
    public Committer<long[]> createCommitter(CommitterInitContext context) throws IOException {
        return new Teller(port);
    }

    @Override
    public SimpleVersionedSerializer<long[]> getCommittableSerializer() {
        return new Numbers();
    }

    private static final class Writer implements CommittingSinkWriter<Tuple2<Long, Long>, long[]> {
        private long[] keys = new long[FIRST_ROWS];
        private int count;

        @Override
        public void write(Tuple2<Long, Long> row, Context context) {
            if (count == keys.length) {
                keys = Arrays.copyOf(keys, 2 * count);
            }
            keys[count++] = row.f0;
        }

        @Override
        public void flush(boolean ends) {
            // A checkpoint takes what there is.
        }

        @Override
        public Collection<long[]> prepareCommit() {
            List<long[]> prepared = new ArrayList<>();
            if (count > 0) {
                prepared.add(Arrays.copyOf(keys, count));
                count = 0;
            }
            return prepared;
        }

        @Override
        public void close() {
            // What is not part of a checkpoint is made again.
        }
    }

    private static final class Teller implements Committer<long[]> {
        private final Socket socket;
        private final DataOutputStream out;
        private final DataInputStream in;

        Teller(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES));
            in = new DataInputStream(socket.getInputStream());
            out.writeByte(RowServer.COMMITS);
        }

        @Override
        public void commit(Collection<CommitRequest<long[]>> requests) throws IOException {
            for (CommitRequest<long[]> request : requests) {
                long[] keys = request.getCommittable();
                out.writeInt(keys.length);
                for (long key : keys) {
                    out.writeLong(key);
                }
                out.flush();
                in.readByte();
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static final class Numbers implements SimpleVersionedSerializer<long[]> {

        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(long[] numbers) {
            ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
            bytes.asLongBuffer().put(numbers);
            return bytes.array();
        }

        @Override
        public long[] deserialize(int version, byte[] bytes) {
            long[] numbers = new long[bytes.length / Long.BYTES];
            ByteBuffer.wrap(bytes).asLongBuffer().get(numbers);
            return numbers;
        }
    }
}
