/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests that each have a database to themselves. */
public abstract class DatabaseConformance {

    Database database;

    /** A database that nobody else uses, with faults unless the suite says otherwise; the test closes it. */
    protected abstract Database open();

    /** More by {@code -Dratchet.seeds=100}. */
    static LongStream seeds() {
        return LongStream.rangeClosed(1, Integer.getInteger("ratchet.seeds", 1));
    }

    @BeforeEach
    void openDatabase() {
        database = open();
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }
}
