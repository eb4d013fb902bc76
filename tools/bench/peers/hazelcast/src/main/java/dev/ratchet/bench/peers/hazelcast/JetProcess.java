/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.jet.config.JobConfig;
import com.hazelcast.jet.config.ProcessingGuarantee;
import com.hazelcast.jet.pipeline.Pipeline;
import dev.ratchet.bench.nexmark.NexmarkEngine;
import dev.ratchet.bench.nexmark.NexmarkJob;
import dev.ratchet.bench.nexmark.NexmarkRuns;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The process that runs queries on Hazelcast Jet, as pipelines in Java: one member, as many cooperative threads as are
 * measured, no snapshots. What Jet has no operator for is said not to be answered: joins without a window, aggregates
 * that are kept up to date, and rows that are taken back.
 */
public final class JetProcess implements NexmarkEngine {

    /** The source and the sink run in this process and find here what they read and count. */
    static volatile @Nullable NexmarkJob job;

    static final LongAdder ROWS = new LongAdder();

    private @Nullable HazelcastInstance member;

    private JetProcess() {}

    /** Arguments: see {@link NexmarkRuns}. */
    public static void main(String[] arguments) throws Exception {
        NexmarkRuns.main(new JetProcess(), arguments);
    }

    @Override
    public long run(NexmarkJob wanted) throws NotAnsweredException {
        if (wanted.retractions()) {
            throw new NotAnsweredException("Jet takes no row back");
        }
        Pipeline pipeline = JetQueries.pipeline(wanted.query().name(), wanted.threads());
        job = wanted;
        ROWS.reset();
        JobConfig settings = new JobConfig().setProcessingGuarantee(ProcessingGuarantee.NONE);
        member(wanted.threads()).getJet().newJob(pipeline, settings).join();
        return ROWS.sum();
    }

    private HazelcastInstance member(int threads) {
        HazelcastInstance running = member;
        if (running == null) {
            Config config = new Config();
            config.setClusterName("nexmark");
            config.setProperty("hazelcast.phone.home.enabled", "false");
            config.getJetConfig().setEnabled(true).setCooperativeThreadCount(threads);
            config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
            config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
            config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
            running = Hazelcast.newHazelcastInstance(config);
            member = running;
        }
        return running;
    }

    @Override
    public void close() {
        HazelcastInstance running = member;
        if (running != null) {
            running.shutdown();
        }
    }
}
