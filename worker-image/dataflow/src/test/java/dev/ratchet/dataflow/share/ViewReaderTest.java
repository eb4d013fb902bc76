/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.dataflow.ShareFeed;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.membership.Timers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A view on several processes reads as one. */
class ViewReaderTest {

    private static final ViewReader.Limits LIMITS = new ViewReader.Limits(1 << 20, 1 << 20);

    private final MemoryShareFeed first = new MemoryShareFeed("v", TestRows.SCHEMA);
    private final MemoryShareFeed second = new MemoryShareFeed("v", TestRows.SCHEMA);
    private final SystemEnvironment system = new SystemEnvironment();
    private final Timers environment = new Timers(system, new ArrayList<>());
    private final RecordingListener listener = new RecordingListener();
    private final List<Runnable> readers = new ArrayList<>();
    private List<ShareFeed> feeds = List.of(first, second);
    private long life = 1;

    @AfterEach
    void close() {
        system.close();
    }

    private ViewReader reader(ViewReader.Limits limits) {
        CircuitShares shares = new CircuitShares() {
            @Override
            public List<ShareFeed> feeds() {
                return feeds;
            }

            @Override
            public long life() {
                return life;
            }

            @Override
            public ShareFeed.Subscription onChange(Runnable changed) {
                readers.add(changed);
                return () -> readers.remove(changed);
            }

            @Override
            public RowSchema schema(String view) {
                if (!view.equals("v")) {
                    throw new IllegalArgumentException("There is no view " + view);
                }
                return TestRows.SCHEMA;
            }
        };
        return new ViewReader(shares, environment, limits);
    }

    /** What all readers are told: who takes part from now on. */
    private void run(ShareFeed... participants) {
        feeds = List.of(participants);
        List.copyOf(readers).forEach(Runnable::run);
    }

    private ViewReader.Reading follow(long afterStep) {
        ViewReader.Reading reading = reader(LIMITS).follow("v", afterStep, listener);
        reading.request(100);
        return reading;
    }

    @Test
    void aSnapshotIsOfOneStepThoughProcessesAreAtDifferentOnes() {
        first.step(TestRows.batch("+a 1"));
        second.step(TestRows.batch("+b 1"));
        second.step(TestRows.batch("-b 1", "+b 2"));
        reader(LIMITS).snapshot(List.of("v"), listener).request(100);
        assertThat(listener.take()).isEmpty();

        first.step(TestRows.batch("-a 1", "+a 2"));
        assertThat(listener.take()).containsExactly("snapshot 2 v[+a 2, +b 2]");
    }

    @Test
    void aStepIsToldOnceAllProcessesHaveToldIt() {
        follow(0);
        first.step(TestRows.batch("+a 1"));
        first.step(TestRows.batch("+a 2"));
        assertThat(listener.take()).isEmpty();

        second.step(TestRows.batch("+b 1"));
        assertThat(listener.take()).containsExactly("changes 1 v[+a 1, +b 1]");

        second.step();
        assertThat(listener.take()).containsExactly("changes 2 v[+a 2]");
    }

    @Test
    void stepsWithoutChangesAreProgress() {
        follow(0);
        first.step();
        second.step();
        assertThat(listener.take()).containsExactly("progress 1");
    }

    @Test
    void noMoreIsToldThanWasRequested() {
        ViewReader.Reading reading = reader(LIMITS).follow("v", 0, listener);
        for (int i = 1; i <= 3; i++) {
            first.step(TestRows.batch("+a " + i));
            second.step();
        }
        assertThat(listener.take()).isEmpty();
        reading.request(2);
        assertThat(listener.take()).containsExactly("changes 1 v[+a 1]", "changes 2 v[+a 2]");
        reading.request(1);
        assertThat(listener.take()).containsExactly("changes 3 v[+a 3]");
    }

    @Test
    void aRunThatBeginsAgainAtAnEarlierStepIsReadOnWithoutRepetition() {
        follow(0);
        first.step(TestRows.batch("+a 1"));
        second.step(TestRows.batch("+b 1"));
        first.step(TestRows.batch("+a 2"));
        second.step(TestRows.batch("+b 2"));
        first.step(TestRows.batch("+a 3"));
        listener.take();

        first.restartAt(1);
        second.restartAt(1);
        environment.fire();
        first.step(TestRows.batch("+a 2"));
        second.step(TestRows.batch("+b 2"));
        assertThat(listener.take()).isEmpty();

        first.step(TestRows.batch("+a 3"));
        second.step(TestRows.batch("+b 3"));
        assertThat(listener.take()).containsExactly("changes 3 v[+a 3, +b 3]");
    }

    @Test
    void aReaderWaitsUntilTheCircuitRuns() {
        feeds = List.of();
        reader(LIMITS).snapshot(List.of("v"), listener).request(1);
        run(first, second);
        assertThat(listener.take()).containsExactly("snapshot 0 v[]");
    }

    @Test
    void aReaderGoesOnAsSoonAsAnotherRunBegins() {
        follow(0);
        MemoryShareFeed dead = second;
        first.step(TestRows.batch("+a 1"));
        run();
        first.restartAt(0);
        environment.fire();
        MemoryShareFeed next = new MemoryShareFeed("v", TestRows.SCHEMA);

        run(first, next);
        first.step(TestRows.batch("+a 1"));
        next.step(TestRows.batch("+b 1"));
        dead.step(TestRows.batch("+c 1"));
        assertThat(listener.take()).containsExactly("changes 1 v[+a 1, +b 1]");
        environment.fire();
        assertThat(first.follows()).as("in the first run and in the second one").isEqualTo(2);
    }

    @Test
    void aShareThatEndsWithinARunIsFollowedAgainAfterAWhile() {
        follow(0);
        second.restartAt(0);
        assertThat(second.follows()).isEqualTo(1);
        environment.fire();
        first.step(TestRows.batch("+a 1"));
        second.step();
        assertThat(listener.take()).containsExactly("changes 1 v[+a 1]");
        assertThat(second.follows()).isEqualTo(2);
    }

    @Test
    void aReadingThatWasClosedWaitsForNoOtherRun() {
        follow(0).close();
        assertThat(readers).isEmpty();
        assertThat(first.follows()).isEqualTo(1);
    }

    @Test
    void changesThatAreNotKeptAnyMoreAreSaidToBe() {
        for (int i = 1; i <= 5; i++) {
            first.step(TestRows.batch("+a " + i));
            second.step();
        }
        first.forgetBefore(4);
        follow(2);
        assertThat(listener.take()).containsExactly("expired 4");
    }

    @Test
    void aReaderIsToldNothingOfAnotherLifeOfTheCircuit() {
        follow(0);
        takeSteps(3);
        assertThat(listener.take()).hasSize(3);
        first.beginLife(2);
        second.beginLife(2);
        life = 2;
        run(first, second);
        takeSteps(4);
        assertThat(listener.take())
                .singleElement()
                .asString()
                .startsWith("failed The circuit was started anew")
                .endsWith("begin again with a snapshot");
    }

    @Test
    void aShareOfAnotherLifeIsNotReadBeforeTheReaderIsRefused() {
        follow(0);
        takeSteps(3);
        listener.take();
        first.beginLife(2);
        second.beginLife(2);
        environment.fire();
        takeSteps(4);
        assertThat(listener.take()).as("where this worker does not know of it").isEmpty();
        life = 2;
        environment.fire();
        assertThat(listener.take()).singleElement().asString().startsWith("failed The circuit was started anew");
    }

    @Test
    void aReaderThatKnowsTheLifeOfItsStepIsRefusedInAnother() {
        reader(LIMITS).follow("v", 7, 0, listener).request(100);
        assertThat(listener.take()).singleElement().asString().startsWith("failed The circuit was started anew");
    }

    @Test
    void aReaderThatWaitsForASnapshotHasThatOfTheNextLife() {
        run();
        reader(LIMITS).snapshot(List.of("v"), listener).request(100);
        life = 2;
        run(first, second);
        assertThat(listener.take()).first().isEqualTo("snapshot 0 v[]");
    }

    private void takeSteps(int count) {
        for (int i = 1; i <= count; i++) {
            first.step(TestRows.batch("+a " + i));
            second.step();
        }
    }

    @Test
    void aSlowReaderIsReadOnFromWhatTheProcessesKeep() {
        ViewReader.Reading reading =
                reader(new ViewReader.Limits(1 << 20, 2_000)).follow("v", 0, listener);
        for (int i = 1; i <= 200; i++) {
            first.step(TestRows.batch("+a " + i));
            second.step();
        }
        reading.request(1_000);
        List<String> told = listener.take();
        assertThat(told).hasSize(200).startsWith("changes 1 v[+a 1]").endsWith("changes 200 v[+a 200]");
        assertThat(first.follows()).as("the share was left and followed again").isEqualTo(2);
    }

    @Test
    void aSnapshotBeyondTheLimitIsRefused() {
        first.step(TestRows.batch("+a 1", "+b 1"));
        second.step();
        reader(new ViewReader.Limits(1, 1)).snapshot(List.of("v"), listener).request(1);
        assertThat(listener.take())
                .singleElement()
                .asString()
                .startsWith("failed The rows of v take more than 1 bytes");
    }

    @Test
    void aViewThatIsNotThereIsRefusedAtOnce() {
        assertThatThrownBy(() -> reader(LIMITS).follow("w", 0, listener))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("There is no view w");
    }

    @Test
    void nothingIsToldAfterTheReadingWasClosed() {
        follow(0).close();
        first.step(TestRows.batch("+a 1"));
        second.step(TestRows.batch("+b 1"));
        assertThat(listener.take()).isEmpty();
    }
}
