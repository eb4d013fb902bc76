/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of tasks behind one that throws, and of those that come while one runs. */
class SerialExecutorTest {

    private final List<Runnable> submitted = new ArrayList<>();
    private final SerialExecutor executor = new SerialExecutor(submitted::add);
    private final List<String> ran = new ArrayList<>();

    private void runSubmitted() {
        while (!submitted.isEmpty()) {
            submitted.removeFirst().run();
        }
    }

    @Test
    void aTaskThatThrowsHoldsUpNoneBehindItAndNoneThatComesLater() {
        executor.execute(() -> {
            throw new IllegalStateException("planted");
        });
        executor.execute(() -> ran.add("behind it"));
        runSubmitted();
        executor.execute(() -> ran.add("later"));
        runSubmitted();

        assertThat(ran).containsExactly("behind it", "later");
    }

    @Test
    void whatComesWhileATaskRunsRunsAfterItAndNotWithin() {
        executor.execute(() -> {
            executor.execute(() -> ran.add("second"));
            ran.add("first");
        });
        runSubmitted();

        assertThat(ran).containsExactly("first", "second");
    }
}
