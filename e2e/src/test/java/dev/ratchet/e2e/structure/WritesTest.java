/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.structure;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The keys of futures are written by one package, and those of sessions by another; whoever writes beside them is
 * listed, with how often it does.
 */
class WritesTest {

    private static final Set<String> DOORS = Set.of("dev.ratchet.futures.record", "dev.ratchet.futures.session");
    private static final Set<String> WRITES = Set.of("set", "clear", "mutate");

    /** Writes of each class outside of the doors. The list may only shrink. */
    private static final Map<String, Integer> OUTSIDE = Map.ofEntries(
            Map.entry("actor.ActorStates", 1),
            Map.entry("artifact.PieceStore", 1),
            Map.entry("collect.CodeCollector", 9),
            Map.entry("collect.Holders", 1),
            Map.entry("collect.ObjectGarbageCollector", 1),
            Map.entry("collect.FutureRemoval", 6),
            Map.entry("collect.RetentionSetting", 1),
            Map.entry("collect.WatchedTime", 1),
            Map.entry("gateway.ArtifactUpload", 4),
            Map.entry("gateway.FunctionUpload", 2),
            Map.entry("generator.ItemRecords", 3),
            Map.entry("object.Copies", 1),
            Map.entry("queue.IdleSeats", 2),
            Map.entry("queue.ClassUpkeep", 1),
            Map.entry("queue.Shards", 1),
            Map.entry("claim.ClaimTransaction", 1),
            Map.entry("upkeep.Delays", 1),
            Map.entry("settle.Mailbox", 2),
            Map.entry("submit.NewSessionFutures", 1),
            Map.entry("settle.Recorder", 1),
            Map.entry("settle.SessionEndings", 1),
            Map.entry("submit.Submission", 3),
            Map.entry("recover.Takeover", 5));

    @Test
    void futuresAreWrittenThroughOneDoor() {
        Path classes = Checkout.modules().get("futures-worker").resolve("target/classes");
        assertThat(classes).as("build the module first").matches(Files::isDirectory);
        Map<String, Integer> found = new TreeMap<>();
        for (JavaClass type : new ClassFileImporter().importPath(classes)) {
            if (!DOORS.contains(type.getPackageName())) {
                type.getMethodCallsFromSelf().stream()
                        .filter(WritesTest::isWrite)
                        .forEach(call -> found.merge(outermost(type), 1, Integer::sum));
            }
        }
        assertThat(found)
                .as("write through a FutureIndex or a method of %s, and take what became less off the list", DOORS)
                .containsExactlyInAnyOrderEntriesOf(OUTSIDE);
    }

    private static boolean isWrite(JavaMethodCall call) {
        return WRITES.contains(call.getName())
                && call.getTargetOwner().getName().equals("com.apple.foundationdb.Transaction");
    }

    private static String outermost(JavaClass type) {
        String name = type.getName().substring("dev.ratchet.futures.".length());
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }
}
