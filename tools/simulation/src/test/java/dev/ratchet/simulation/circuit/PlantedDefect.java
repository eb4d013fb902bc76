/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import com.apple.foundationdb.tuple.Versionstamp;
import dev.ratchet.dataflow.exchange.ExchangePeer;
import dev.ratchet.dataflow.exchange.ExchangeSession;
import dev.ratchet.dataflow.exchange.ExchangeTransport;
import dev.ratchet.dataflow.record.Counter;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.LogPosition;
import dev.ratchet.protocol.dataflow.v1.RunRecord;
import dev.ratchet.store.keyspace.Table;
import dev.ratchet.store.transaction.Mutation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Defects that a protocol for steps of several processes may have, one of each kind. */
enum PlantedDefect implements CircuitDefects {
    /** P2: nobody is told that there is input for a step. */
    INPUT_WAKES_NOBODY {
        @Override
        public List<Mutation> written(List<Mutation> mutations, DataflowStore store) {
            return without(mutations, store.counterKey(Counter.APPENDED));
        }
    },

    /** P3, P4: what a step was given is not kept until the step need not be taken again. */
    DIVISIONS_ARE_FORGOTTEN {
        @Override
        public List<Mutation> written(List<Mutation> mutations, DataflowStore store) {
            List<Mutation> all = new ArrayList<>(mutations);
            each(mutations, store.run(), run -> {
                if (!run.getEnded()) {
                    all.add(cleared(
                            store.divisions().key(run.getStep() + 1),
                            store.divisions().range().end));
                }
            });
            return all;
        }
    },

    /** P5: the log is cleared up to the newest version, which some may not have yet. */
    LOG_IS_TRIMMED_TOO_EARLY {
        @Override
        public List<Mutation> written(List<Mutation> mutations, DataflowStore store) {
            List<Mutation> all = new ArrayList<>(mutations);
            each(mutations, store.divisions(), division -> {
                if (division.getVersion() != 0) {
                    Versionstamp end = LogPosition.decoded(division.getEnd());
                    all.add(cleared(store.log().range().begin, store.log().range(end).begin));
                    all.add(cleared(store.rows().range().begin, store.rows().range(end).end));
                }
            });
            return all;
        }
    },

    /** P13: a run reads the log from the beginning, whatever version of the state it has opened. */
    LOG_IS_READ_FROM_THE_BEGINNING {
        @Override
        public List<Mutation> written(List<Mutation> mutations, DataflowStore store) {
            return mutations.stream()
                    .map(mutation -> isOf(mutation, store.run())
                            ? new Mutation(
                                    Mutation.SET, mutation.key(), fromTheBeginning(store.run(), mutation.param()))
                            : mutation)
                    .toList();
        }
    },

    /** Of the exchange: what has come before comes once more, in place of what should. */
    FRAMES_COME_TWICE {
        @Override
        public ExchangeTransport of(ExchangeTransport exchange) {
            return new ExchangeTransport() {
                @Override
                public String address() {
                    return exchange.address();
                }

                @Override
                public ExchangeSession join(long run, int self, List<ExchangePeer> peers) {
                    return new RepeatingSession(exchange.join(run, self, peers));
                }
            };
        }
    },

    /** Of the input: it is not kept what was received from a producer. */
    REPETITIONS_ARE_NOT_KNOWN {
        @Override
        public List<Mutation> written(List<Mutation> mutations, DataflowStore store) {
            return mutations.stream()
                    .filter(mutation -> !isOf(mutation, store.producers()))
                    .toList();
        }
    };

    private static List<Mutation> without(List<Mutation> mutations, byte[] key) {
        return mutations.stream()
                .filter(mutation -> !Arrays.equals(mutation.key(), key))
                .toList();
    }

    private static Mutation cleared(byte[] begin, byte[] end) {
        return new Mutation(Mutation.CLEAR_RANGE, begin, end);
    }

    private static boolean isOf(Mutation mutation, Table<?> table) {
        byte[] prefix = table.subspace().pack();
        return mutation.type() != Mutation.CLEAR_RANGE
                && mutation.key().length >= prefix.length
                && Arrays.equals(mutation.key(), 0, prefix.length, prefix, 0, prefix.length);
    }

    private static <V> void each(List<Mutation> mutations, Table<V> table, Consumer<V> found) {
        mutations.stream()
                .filter(mutation -> isOf(mutation, table))
                .forEach(mutation -> found.accept(table.decode(mutation.param())));
    }

    private static byte[] fromTheBeginning(Table<RunRecord> runs, byte[] written) {
        RunRecord run = runs.decode(written);
        if (run.getStep() == 0) {
            return written;
        }
        byte[] first = new byte[Versionstamp.LENGTH];
        return runs.encode(run.toBuilder()
                .setPosition(LogPosition.encoded(Versionstamp.fromBytes(first)))
                .build());
    }

    /** Gives what a process has sent before in place of what it sends, now and then. */
    private record RepeatingSession(ExchangeSession real, List<ByteBuffer[]> before) implements ExchangeSession {

        private static final int PERIOD = 23;

        RepeatingSession(ExchangeSession real) {
            this(real, new ArrayList<>());
        }

        @Override
        public int self() {
            return real.self();
        }

        @Override
        public int count() {
            return real.count();
        }

        @Override
        public ByteBuffer[] exchange(ByteBuffer[] frames) {
            ByteBuffer[] received = real.exchange(frames);
            ByteBuffer[] kept = new ByteBuffer[received.length];
            Arrays.setAll(kept, peer -> received[peer].duplicate());
            before.add(kept);
            return before.size() % PERIOD == 0 ? before.get(before.size() - 2) : received;
        }

        @Override
        public void onLost(Runnable listener) {
            real.onLost(listener);
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
