/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ratchet.membership.MembershipCounters;
import dev.ratchet.membership.SeatOrder;
import dev.ratchet.membership.seat.CommandReceiver.StaleCommandException;
import dev.ratchet.protocol.membership.v1.CommandRecord;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class CommandReceiverTest {

    private final List<String> executed = new ArrayList<>();
    private final CommandReceiver receiver = new CommandReceiver(
            order -> executed.add(order.drain() + "/" + order.timeoutMillis()), new MembershipCounters());

    @Test
    void aRepeatedCommandIsAnsweredAndNotExecutedAgain() {
        receiver.order(1, 1, drain(true, 10));
        receiver.order(1, 1, drain(true, 10));
        assertThat(executed).containsExactly("true/10");
    }

    @Test
    void anOlderCommandOfTheSameTermIsRefused() {
        receiver.order(1, 2, drain(true, 10));
        assertRefused(() -> receiver.order(1, 1, drain(false, 10)));
        assertThat(executed).containsExactly("true/10");
    }

    @Test
    void afterHelloEveryCommandOfAnOlderTermIsRefused() {
        receiver.hello(2);
        assertThatExceptionOfType(StaleCommandException.class)
                .isThrownBy(() -> receiver.order(1, 7, drain(true, 10)))
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
        receiver.order(1, 9, drain(true, 10));
        receiver.order(2, 1, drain(false, 20));
        assertThat(executed).containsExactly("true/10", "false/20");
        assertThat(receiver.hello(2)).isEqualTo(new CommandReceiver.Heard(2, 2, 1, false));
    }

    @Test
    void whatTheStoreSaysHoldsWhateverTermWasHeardOf() {
        receiver.hello(5);
        receiver.recorded(command(3, 1, true), 1);
        receiver.recorded(command(3, 1, true), 1);
        assertThat(executed).containsExactly("true/10");
        assertRefused(() -> receiver.hello(4));
        assertThat(receiver.hello(5).draining()).isTrue();
    }

    @Test
    void aCommandIsAsGoodAsAHelloOfItsTerm() {
        receiver.order(2, 1, drain(true, 10));
        assertRefused(() -> receiver.hello(1));
        receiver.recorded(command(4, 1, true), 1);
        assertRefused(() -> receiver.hello(3));
    }

    @Test
    void aCommandRepeatedAfterTheHelloOfANewerTermIsRefused() {
        receiver.order(1, 1, drain(true, 10));
        receiver.hello(2);
        assertRefused(() -> receiver.order(1, 1, drain(true, 10)));
    }

    @Test
    void noCommandInTheStoreIsNoCommand() {
        receiver.recorded(CommandRecord.getDefaultInstance(), 1);
        assertThat(executed).isEmpty();
    }

    @Test
    void anOlderCommandInTheStoreDoesNotUndoANewerMessage() {
        receiver.order(2, 2, drain(true, 10));
        receiver.recorded(command(2, 1, false), 1);
        assertThat(executed).containsExactly("true/10");
    }

    private static SeatOrder drain(boolean on, long timeoutMillis) {
        return new SeatOrder(on, false, timeoutMillis);
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
