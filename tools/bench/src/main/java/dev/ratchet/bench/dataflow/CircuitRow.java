/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import dev.ratchet.bench.Report;
import java.nio.file.Path;

/** The groups of lines about circuits on a cluster, each for itself. */
enum CircuitRow {
    /** From a row to what it changes, beside one commit. */
    LATENCY {
        @Override
        void measure(Path parent, boolean quick, Report report) throws Exception {
            try (CircuitSubject subject = new CircuitSubject(parent, 2, 1_024, LatencyLines.PROGRAM, quick, report)) {
                LatencyLines.latency(subject);
            }
        }

        @Override
        void measurePeer(Path parent, boolean quick, Report report) throws Exception {
            LatencyLines.ofFlink(parent, quick, report);
        }
    },
    /** Many rows, from their producer to a reader. */
    INTAKE {
        @Override
        void measure(Path parent, boolean quick, Report report) throws Exception {
            try (CircuitSubject subject = new CircuitSubject(parent, 1, 2_048, IntakeLines.PROGRAM, quick, report)) {
                IntakeLines.rows(subject);
            }
        }
    },
    /** As many, from producers in Java to a subscription. */
    PRODUCERS {
        @Override
        void measure(Path parent, boolean quick, Report report) throws Exception {
            try (CircuitSubject subject = new CircuitSubject(parent, 1, 2_048, IntakeLines.PROGRAM, quick, report)) {
                IntakeLines.rowsOfJava(subject);
            }
        }
    },
    /** From the end of a process to the next output. */
    KILL {
        @Override
        void measure(Path parent, boolean quick, Report report) throws Exception {
            try (CircuitSubject subject = new CircuitSubject(parent, 3, 1_024, KillLines.PROGRAM, quick, report)) {
                KillLines.kills(subject);
            }
        }

        @Override
        void measurePeer(Path parent, boolean quick, Report report) throws Exception {
            KillLines.ofFlink(parent, quick, report);
        }
    },
    /** What a version of the state keeps a step from. */
    CHECKPOINT {
        @Override
        void measure(Path parent, boolean quick, Report report) throws Exception {
            CheckpointLines.stalls(parent, quick, report);
        }
    },
    /** Lines to rows. */
    PARSER {
        @Override
        void measure(Path parent, boolean quick, Report report) {
            ParserLines.lines(quick, report);
        }

        @Override
        void measurePeer(Path parent, boolean quick, Report report) throws Exception {
            ParserLines.linesOfFlink(parent, quick, report);
        }
    },
    /** Queries on several processes. */
    NEXMARK {
        @Override
        void measure(Path parent, boolean quick, Report report) throws Exception {
            NexmarkProcessLines.queries(parent, quick, report);
        }
    },
    /** Bytes between two processes, beside gRPC and bare sockets. */
    EXCHANGE {
        @Override
        void measure(Path parent, boolean quick, Report report) throws Exception {
            ExchangeLines.bytes(parent, quick, report);
        }
    },
    /** Four processes that wait for one another. */
    BARRIER {
        @Override
        void measure(Path parent, boolean quick, Report report) throws Exception {
            ExchangeLines.barrier(parent, quick, report);
        }
    };

    /** Adds its lines to the report. */
    abstract void measure(Path parent, boolean quick, Report report) throws Exception;

    /** Adds those of what is compared, where something is. */
    void measurePeer(Path parent, boolean quick, Report report) throws Exception {}
}
