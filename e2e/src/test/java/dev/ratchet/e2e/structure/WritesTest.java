/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.structure;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What a cluster keeps is written through the tables of its keyspace; and the tables that follow from the records of
 * futures are written along with those, by one package.
 */
class WritesTest {

    private static final String RECORD = "dev.ratchet.futures.record";

    /** Modules that write into the store of a cluster; the store itself is where writes arrive. */
    private static final List<String> WRITERS =
            List.of("membership", "futures-worker", "dataflow", "dataflow-http", "feeds", "worker", "cli");

    /** Writes of keys that no table has made, by class: those of the keys that the code of a task has named. */
    private static final Map<String, Integer> RAW = Map.of(RECORD + ".Effects", 3);

    private static final Set<String> RAW_WRITES = Set.of("set", "clear", "mutate");
    private static final Set<String> TABLE_WRITES = Set.of(
            "set", "setRow", "setStamped", "append", "add", "clear", "clearIf", "clearRow", "clearAll", "clearBetween");

    /** Tables that follow from records of futures, and these, as fields of {@code FutureKeys}. */
    private static final Set<String> DERIVED = Set.of(
            "records",
            "results",
            "upstreams",
            "uses",
            "waits",
            "dependents",
            "unsettled",
            "queue",
            "assignments",
            "timers",
            "listed",
            "ran",
            "claims",
            "held",
            "expiries",
            "parked",
            "bound",
            "named",
            "counts",
            "functionUses",
            "wake");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importPaths(WRITERS.stream().map(WritesTest::classes).toList());

    @Test
    void keysAreWrittenThroughTheirTables() {
        Map<String, Integer> found = new TreeMap<>();
        for (JavaClass type : CLASSES) {
            type.getCodeUnits().stream()
                    .flatMap(WritesTest::methodsOf)
                    .filter(call -> isCall(call, "com.apple.foundationdb.Transaction", RAW_WRITES))
                    .forEach(call -> found.merge(outermost(type), 1, Integer::sum));
        }
        assertThat(found)
                .as("keys are written through a Table of the keyspace")
                .containsExactlyInAnyOrderEntriesOf(RAW);
    }

    @Test
    void theTablesThatFollowFromRecordsAreThere() {
        assertThat(CLASSES.get(RECORD + ".FutureKeys").getAllFields())
                .extracting(JavaField::getName)
                .containsAll(DERIVED);
    }

    @Test
    void whatFollowsFromTheRecordsOfFuturesIsWrittenAlongWithThem() {
        Set<String> wrong = new TreeSet<>();
        int inside = 0;
        for (JavaClass type : CLASSES) {
            for (JavaCodeUnit method : type.getCodeUnits()) {
                if (!writesTables(method) || !usesDerived(method)) {
                    continue;
                }
                if (type.getPackageName().equals(RECORD)) {
                    inside++;
                } else {
                    wrong.add(method.getFullName());
                }
            }
        }
        assertThat(inside).as("methods of %s that write them", RECORD).isPositive();
        assertThat(wrong)
                .as(
                        "methods that use a table of %s and write: have the record changed, or call FutureTransaction",
                        RECORD)
                .isEmpty();
    }

    private static boolean writesTables(JavaCodeUnit method) {
        return methodsOf(method).anyMatch(call -> isCall(call, "dev.ratchet.store.keyspace.Table", TABLE_WRITES));
    }

    private static boolean usesDerived(JavaCodeUnit method) {
        return method.getFieldAccesses().stream()
                .map(access -> access.getTarget())
                .anyMatch(field ->
                        field.getOwner().getName().equals(RECORD + ".FutureKeys") && DERIVED.contains(field.getName()));
    }

    /** Methods that one calls or refers to: {@code transaction::clear} is a write, too. */
    private static Stream<JavaAccess<?>> methodsOf(JavaCodeUnit method) {
        return Stream.concat(method.getMethodCallsFromSelf().stream(), method.getMethodReferencesFromSelf().stream());
    }

    private static boolean isCall(JavaAccess<?> call, String owner, Set<String> names) {
        return names.contains(call.getName()) && call.getTargetOwner().getName().equals(owner);
    }

    private static Path classes(String module) {
        Path classes = Checkout.modules().get(module).resolve("target/classes");
        assertThat(classes).as("build the module first").matches(Files::isDirectory);
        return classes;
    }

    private static String outermost(JavaClass type) {
        int nested = type.getName().indexOf('$');
        return nested < 0 ? type.getName() : type.getName().substring(0, nested);
    }
}
