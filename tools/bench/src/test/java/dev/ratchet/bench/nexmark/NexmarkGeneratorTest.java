/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.nexmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.nexmark.NexmarkEvent;
import dev.ratchet.circuits.nexmark.NexmarkGenerator;
import dev.ratchet.circuits.nexmark.NexmarkTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.nexmark.NexmarkConfiguration;
import org.apache.beam.sdk.nexmark.model.Auction;
import org.apache.beam.sdk.nexmark.model.Bid;
import org.apache.beam.sdk.nexmark.model.Event;
import org.apache.beam.sdk.nexmark.model.Person;
import org.apache.beam.sdk.nexmark.sources.generator.Generator;
import org.apache.beam.sdk.nexmark.sources.generator.GeneratorConfig;
import org.junit.jupiter.api.Test;

class NexmarkGeneratorTest {

    /** Beam's usual settings: 10,000 events a second from a hundred generators, of which this is one. */
    private static final long BEAM_INTERVAL_MICROS = 10_000;

    @Test
    void eventsAreThoseOfBeam() {
        NexmarkGenerator ours = new NexmarkGenerator(0, BEAM_INTERVAL_MICROS);
        for (long first : new long[] {0, 1_000_000}) {
            Generator beam = new Generator(
                    new GeneratorConfig(NexmarkConfiguration.DEFAULT, NexmarkGenerator.BASE_MILLIS, 0, 10_000, first));
            for (long number = first; beam.hasNext(); number++) {
                Event expected = beam.nextEvent().event;
                NexmarkEvent event = ours.event(number);
                assertThat(event.number()).isEqualTo(number);
                if (expected.newPerson != null) {
                    assertThat(event.table()).isEqualTo(NexmarkTable.PERSON);
                    assertThat(event.values()).isEqualTo(valuesOf(expected.newPerson));
                } else if (expected.newAuction != null) {
                    assertThat(event.table()).isEqualTo(NexmarkTable.AUCTION);
                    assertThat(event.values()).isEqualTo(valuesOf(expected.newAuction));
                } else {
                    assertThat(event.table()).isEqualTo(NexmarkTable.BID);
                    assertThat(withoutChannel(event.values())).isEqualTo(valuesOf(expected.bid));
                }
            }
        }
    }

    private static List<Object> valuesOf(Person person) {
        return List.of(
                person.id,
                person.name,
                person.emailAddress,
                person.creditCard,
                person.city,
                person.state,
                person.dateTime.getMillis(),
                person.extra);
    }

    private static List<Object> valuesOf(Auction auction) {
        return List.of(
                auction.id,
                auction.itemName,
                auction.description,
                auction.initialBid,
                auction.reserve,
                auction.dateTime.getMillis(),
                auction.expires.getMillis(),
                auction.seller,
                auction.category,
                auction.extra);
    }

    private static List<Object> valuesOf(Bid bid) {
        return List.of(bid.auction, bid.bidder, bid.price, bid.dateTime.getMillis(), bid.extra);
    }

    private static List<Object> withoutChannel(List<Object> bid) {
        return List.of(bid.get(0), bid.get(1), bid.get(2), bid.get(5), bid.get(6));
    }

    @Test
    void aChannelHasOneAddressAndHalfOfTheBidsHaveAHotOne() {
        NexmarkGenerator generator = new NexmarkGenerator(1);
        Map<Object, Object> addresses = new HashMap<>();
        int bids = 0;
        int hot = 0;
        int named = 0;
        for (long number = 0; number < 50_000; number++) {
            NexmarkEvent event = generator.event(number);
            if (event.table() == NexmarkTable.BID) {
                String channel = (String) event.values().get(3);
                String url = (String) event.values().get(4);
                assertThat(addresses.getOrDefault(channel, url)).isEqualTo(url);
                addresses.put(channel, url);
                bids++;
                hot += channel.startsWith("channel-") ? 0 : 1;
                named += url.contains("&channel_id=") ? 1 : 0;
            }
        }
        assertThat(bids).isEqualTo(46_000);
        assertThat(hot / (double) bids).isBetween(0.49, 0.51);
        assertThat(named / (double) (bids - hot)).isBetween(0.88, 0.92);
    }

    @Test
    void aTenthOfTheChangesTakesBackWhatIsThere() {
        NexmarkChanges changes = new NexmarkChanges(7, 10);
        Map<Long, Integer> present = new HashMap<>();
        int retractions = 0;
        for (int i = 0; i < 50_000; i++) {
            NexmarkChanges.Change change = changes.next();
            int weight = present.merge(change.event().number(), change.weight(), Integer::sum);
            assertThat(weight)
                    .as("change %d, event %d", i, change.event().number())
                    .isBetween(0, 1);
            retractions += change.weight() < 0 ? 1 : 0;
        }
        assertThat(retractions / 50_000.0).isBetween(0.09, 0.11);
    }
}
