/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.flink.rows;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.source.legacy.RichParallelSourceFunction;
import org.jspecify.annotations.Nullable;

/** Reads one partition of the log for each instance, and goes on behind the last row of the checkpoint. */
final class LogSource extends RichParallelSourceFunction<Tuple2<Long, String>> implements CheckpointedFunction {

    private static final long serialVersionUID = 1;
    private static final int BUFFER_BYTES = 1 << 16;

    private final int port;
    private transient @Nullable ListState<Long> checkpointed;
    private transient volatile @Nullable Socket connection;
    private long next;

    LogSource(int port) {
        this.port = port;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        ListState<Long> numbers =
                context.getOperatorStateStore().getListState(new ListStateDescriptor<>("next", Long.class));
        checkpointed = numbers;
        for (long number : numbers.get()) {
            next = number;
        }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        ListState<Long> numbers = checkpointed;
        if (numbers != null) {
            numbers.update(java.util.List.of(next));
        }
    }

    @Override
    public void run(SourceContext<Tuple2<Long, String>> context) throws Exception {
        int part = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
        int parts = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            connection = socket;
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeByte(RowServer.READS);
            out.writeInt(part);
            out.writeInt(parts);
            // A partition is the remainder of a number, so instances may change partitions over a restart.
            out.writeLong(next);
            out.flush();
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
            while (true) {
                long number = in.readLong();
                Tuple2<Long, String> row = Tuple2.of(in.readLong(), in.readUTF());
                synchronized (context.getCheckpointLock()) {
                    context.collect(row);
                    next = number + 1;
                }
            }
        }
    }

    @Override
    public void cancel() {
        Socket open = connection;
        if (open != null) {
            try {
                open.close();
            } catch (IOException closed) {
                // It is closed then.
            }
        }
    }
}
