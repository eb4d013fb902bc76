/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ratchet.membership.MembershipCounters;
import dev.ratchet.membership.seat.CommandReceiver.StaleCommandException;
import dev.ratchet.protocol.membership.v1.CommandRecord;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class CommandReceiverTest {

    private final List<String> executed = new ArrayList<>();
    private final CommandReceiver receiver =
            new CommandReceiver((on, timeout) -> executed.add(on + "/" + timeout), new MembershipCounters());

    @Test
    void aRepeatedCommandIsAnsweredAndNotExecutedAgain() {
        receiver.drain(1, 1, true, 10);
        receiver.drain(1, 1, true, 10);
        assertThat(executed).containsExactly("true/10");
    }

    @Test
    void anOlderCommandOfTheSameTermIsRefused() {
        receiver.drain(1, 2, true, 10);
        assertRefused(() -> receiver.drain(1, 1, false, 10));
        assertThat(executed).containsExactly("true/10");
    }

    @Test
    void afterHelloEveryCommandOfAnOlderTermIsRefused() {
        receiver.hello(2);
        assertThatExceptionOfType(StaleCommandException.class)
                .isThrownBy(() -> receiver.drain(1, 7, true, 10))
                .withMessageContaining("term=1 seq=7 heardTerm=2");
        assertThat(executed).isEmpty();
    }

    @Test
    void helloOfAnOlderTermIsRefused() {
        receiver.hello(2);
        assertRefused(() -> receiver.hello(1));
        assertThat(receiver.hello(2).term()).isEqualTo(2);
    }

    @Test
    void aNewTermStartsItsOwnSequence() {
        receiver.drain(1, 9, true, 10);
        receiver.drain(2, 1, false, 20);
        assertThat(executed).containsExactly("true/10", "false/20");
        assertThat(receiver.hello(2)).isEqualTo(new CommandReceiver.Greeting(2, 2, 1, false));
    }

    @Test
    void whatTheStoreSaysHoldsWhateverTermWasHeardOf() {
        receiver.hello(5);
        receiver.recorded(command(3, 1, true));
        receiver.recorded(command(3, 1, true));
        assertThat(executed).containsExactly("true/10");
        assertRefused(() -> receiver.hello(4));
        assertThat(receiver.hello(5).draining()).isTrue();
    }

    @Test
    void aCommandIsAsGoodAsAHelloOfItsTerm() {
        receiver.drain(2, 1, true, 10);
        assertRefused(() -> receiver.hello(1));
        receiver.recorded(command(4, 1, true));
        assertRefused(() -> receiver.hello(3));
    }

    @Test
    void aCommandRepeatedAfterTheHelloOfANewerTermIsRefused() {
        receiver.drain(1, 1, true, 10);
        receiver.hello(2);
        assertRefused(() -> receiver.drain(1, 1, true, 10));
    }

    @Test
    void noCommandInTheStoreIsNoCommand() {
        receiver.recorded(CommandRecord.getDefaultInstance());
        assertThat(executed).isEmpty();
    }

    @Test
    void anOlderCommandInTheStoreDoesNotUndoANewerMessage() {
        receiver.drain(2, 2, true, 10);
        receiver.recorded(command(2, 1, false));
        assertThat(executed).containsExactly("true/10");
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatExceptionOfType(StaleCommandException.class).isThrownBy(call);
    }

    private static CommandRecord command(long term, long seq, boolean drain) {
        return CommandRecord.newBuilder()
                .setTerm(term)
                .setSeq(seq)
                .setDrain(drain)
                .setDrainTimeoutMillis(10)
                .build();
    }
}
