/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.hazelcast;

import com.hazelcast.jet.Traverser;
import com.hazelcast.jet.core.AbstractProcessor;
import com.hazelcast.jet.core.EventTimeMapper;
import com.hazelcast.jet.core.EventTimePolicy;
import com.hazelcast.jet.core.ProcessorMetaSupplier;
import com.hazelcast.jet.core.ProcessorSupplier;
import com.hazelcast.jet.pipeline.Sources;
import com.hazelcast.jet.pipeline.StreamSource;
import dev.ratchet.bench.nexmark.NexmarkChangeReader;
import dev.ratchet.bench.nexmark.NexmarkJob;
import dev.ratchet.circuits.nexmark.NexmarkTable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one table, with their times and watermarks four seconds behind, then the end: Jet closes all windows
 * then. Belongs to one thread of one job; each of several reads every event whose number falls to it.
 */
final class EventSource extends AbstractProcessor {

    private final NexmarkTable table;
    private final EventTimeMapper<NexmarkRow> times;
    private @Nullable NexmarkChangeReader changes;
    private @Nullable Traverser<Object> pending;

    private EventSource(NexmarkTable table, EventTimePolicy<? super NexmarkRow> times) {
        this.table = table;
        this.times = new EventTimeMapper<>(times);
        this.times.addPartitions(1);
    }

    static StreamSource<NexmarkRow> of(NexmarkTable table, int threads) {
        return Sources.streamFromProcessorWithWatermarks(
                table.title(),
                true,
                times -> ProcessorMetaSupplier.of(
                        threads, ProcessorSupplier.of(() -> new EventSource(table, times))));
    }

    @Override
    protected void init(Context context) {
        NexmarkJob job = Objects.requireNonNull(JetProcess.job);
        job.begins();
        changes = new NexmarkChangeReader(job.changes(), context.globalProcessorIndex(), context.totalParallelism());
    }

    @Override
    public boolean complete() {
        NexmarkChangeReader reader = Objects.requireNonNull(changes);
        while (true) {
            Traverser<Object> rest = pending;
            if (rest != null) {
                if (!emitFromTraverser(rest)) {
                    return false;
                }
                pending = null;
            }
            if (!reader.next()) {
                return true;
            }
            if (reader.table() == table) {
                NexmarkRow event = NexmarkRow.of(reader);
                pending = times.flatMapEvent(event, 0, event.timeMillis());
            }
        }
    }
}
