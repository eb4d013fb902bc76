/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.store.environment.SystemEnvironment;
import dev.ratchet.store.foundationdb.FoundationDb;
import dev.ratchet.store.foundationdb.FoundationDbOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * All suites on a real FoundationDB, without injected faults: it has its own. Every test begins by clearing all user
 * keys of the cluster, so it must be one whose data may be lost.
 */
@EnabledIfEnvironmentVariable(
        named = "RATCHET_TEST_FDB_CLUSTER_FILE",
        matches = ".+",
        disabledReason = "no real FoundationDB: name the cluster file of one whose data may be lost in"
                + " RATCHET_TEST_FDB_CLUSTER_FILE")
class FoundationDbConformanceTest {

    private static final SystemEnvironment ENVIRONMENT = new SystemEnvironment();

    private static Database openEmpty() {
        Path file = Path.of(System.getenv("RATCHET_TEST_FDB_CLUSTER_FILE"));
        Database database = FoundationDb.open(new FoundationDbOptions(file, null, null), ENVIRONMENT.executor());
        database.run(transaction -> {
            transaction.clear(new byte[0], new byte[] {(byte) 0xff});
            return null;
        });
        return database;
    }

    @Nested
    class Traces extends TraceConformance {

        @Override
        protected Database open() {
            return openEmpty();
        }

        @Override
        protected int databasesMax() {
            return 1;
        }

        /** A cluster has system keys of its own, and nobody else should write there. */
        @Override
        protected void prepare(Database database) {}
    }

    @Nested
    class Workloads extends WorkloadConformance {

        @Override
        protected Database open() {
            return openEmpty();
        }
    }

    @Nested
    class Invariants extends InvariantConformance {

        @Override
        protected Database open() {
            return openEmpty();
        }
    }

    @Nested
    class Models extends ModelConformance {

        @Override
        protected Database open() {
            return openEmpty();
        }
    }

    @Nested
    class Atomics extends AtomicsConformance {

        @Override
        protected Database open() {
            return openEmpty();
        }
    }

    @Nested
    class OneTransaction extends OneTransactionConformance {

        @Override
        protected Database open() {
            return openEmpty();
        }
    }

    @Nested
    class Contracts extends ContractConformance {

        @Override
        protected Database open() {
            return openEmpty();
        }
    }

    @Nested
    class Layers extends LayerConformance {

        @Override
        protected Database open() {
            return openEmpty();
        }

        @Override
        protected Database openFaulty() {
            return openEmpty();
        }
    }

    @Nested
    class Linearizability extends LinearizabilityConformance {

        @Override
        protected Database open(boolean faults) {
            return openEmpty();
        }
    }
}
