/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import com.apple.foundationdb.tuple.Versionstamp;
import dev.ratchet.dataflow.StateDisk;
import dev.ratchet.dataflow.exchange.ExchangeTransport;
import dev.ratchet.dataflow.record.Counter;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.LogPosition;
import dev.ratchet.protocol.dataflow.v1.ConsumerRecord;
import dev.ratchet.protocol.dataflow.v1.RunRecord;
import dev.ratchet.store.keyspace.Table;
import dev.ratchet.store.transaction.Mutation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Defects that a protocol for steps of several processes may have, one of each kind.
 *
 * <p>Nothing is planted for P6, P9 and P14; docs/decisions/0285 tells what shows those.
 */
enum PlantedDefect implements CircuitDefects {
    /** P1: a pause does not wait until all have taken the last step that anybody has. */
    A_PAUSE_TAKES_STEPS_BACK {
        @Override
        public List<Mutation> written(List<Mutation> mutations, DataflowStore store) {
            List<Mutation> all = new ArrayList<>(mutations);
            each(mutations, store.circuit(), circuit -> {
                if (circuit.getSuspended()) {
                    all.add(cleared(
                            store.divisions().key(circuit.getVersionStep() + 1),
                            store.divisions().range().end));
                }
            });
            return all;
        }
    },

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

    /** P7, of versions in place of layouts: one that is on the disk of one process counts as one that all have. */
    A_VERSION_COUNTS_BEFORE_ALL_HAVE_IT {
        @Override
        public List<Mutation> written(List<Mutation> mutations, DataflowStore store) {
            List<Mutation> all = new ArrayList<>(mutations);
            mutations.stream()
                    .filter(mutation -> isOf(mutation, store.durable()))
                    .forEach(mutation -> {
                        long version = store.durable().elements(mutation.key()).getLong(0);
                        for (int seat = 0; seat < CircuitScenario.SEATS_MAX; seat++) {
                            all.add(new Mutation(
                                    Mutation.SET, store.durable().key(version, "w-" + seat), mutation.param()));
                        }
                    });
            return all;
        }
    },

    /** P8: which rows a process puts out depends on the run. */
    SHARES_CHANGE_HANDS {
        @Override
        public ExchangeTransport of(ExchangeTransport exchange) {
            return ChangedSession.renumbered(exchange);
        }
    },

    /** P10: what a step computes depends on who computes it. */
    A_FUNCTION_IS_UNSTEADY {
        @Override
        public String program(String text) {
            return text + " CREATE FUNCTION unsteady(x INT) RETURNS INT AS '" + UnsteadyFunction.class.getName()
                    + ".of'; CREATE VIEW unsteady_view AS SELECT k, unsteady(v) AS x FROM t;";
        }
    },

    /** P10, of errors: what is wrong with a row depends on who computes it. */
    AN_ERROR_IS_UNSTEADY {
        @Override
        public String program(String text) {
            return text + " CREATE FUNCTION failing(x INT) RETURNS INT AS '" + UnsteadyFunction.class.getName()
                    + ".failing'; CREATE VIEW failing_view AS SELECT k, failing(v) AS x FROM t;";
        }
    },

    /** P11: one process is of a release that sends rows elsewhere than the others do. */
    RELEASES_ROUTE_ROWS_DIFFERENTLY {
        @Override
        public ExchangeTransport of(ExchangeTransport exchange) {
            return ChangedSession.each(exchange, ChangedSession.Misrouting::new);
        }
    },

    /** P12: a coordinator that ends in the middle of a decision on a version leaves half of it written. */
    A_DECISION_IS_TORN {
        @Override
        public List<Mutation> written(List<Mutation> mutations, DataflowStore store) {
            boolean marks = mutations.stream()
                    .anyMatch(mutation -> isOf(mutation, store.divisions())
                            && mutation.key()[mutation.key().length - 1] % 2 == 0
                            && store.divisions().decode(mutation.param()).getVersion() != 0);
            return marks
                    ? mutations.stream()
                            .filter(mutation -> !isOf(mutation, store.circuit()))
                            .toList()
                    : mutations;
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
            return ChangedSession.each(exchange, ChangedSession.Repeating::new);
        }
    },

    /** Of the state: what is told to be durable is lost with the machine. */
    DISKS_STORE_NOTHING {
        @Override
        public StateDisk of(StateDisk disk) {
            return new UnsyncedDisk(disk);
        }
    },

    /** Of outputs: the store does not say which file is still to get its name. */
    FILES_ARE_NOT_REMEMBERED {
        @Override
        public List<Mutation> written(List<Mutation> mutations, DataflowStore store) {
            return mutations.stream()
                    .map(mutation -> isOf(mutation, store.consumers())
                            ? new Mutation(
                                    Mutation.SET, mutation.key(), withoutFile(store.consumers(), mutation.param()))
                            : mutation)
                    .toList();
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

    private static byte[] withoutFile(Table<ConsumerRecord> consumers, byte[] written) {
        return consumers.encode(
                consumers.decode(written).toBuilder().clearFile().build());
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
}
