/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.store.fixture.StoreUnderTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * All suites on a real FoundationDB, without injected faults: it has its own. Every test begins by clearing all user
 * keys of the cluster, so it must be one whose data may be lost.
 */
@EnabledIfEnvironmentVariable(
        named = StoreUnderTest.CLUSTER_FILE,
        matches = ".+",
        disabledReason = "no real FoundationDB: run e2e/foundationdb with FDB_CLUSTER_FILE set")
@EnabledIfEnvironmentVariable(
        named = StoreUnderTest.ERASE,
        matches = "true",
        disabledReason = "the data of FDB_CLUSTER_FILE may not be erased: run e2e/foundationdb --erase")
class FoundationDbConformanceTest {

    private static final SystemEnvironment ENVIRONMENT = new SystemEnvironment();

    private static Database openEmpty() {
        return StoreUnderTest.open(ENVIRONMENT);
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
