/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.nexmark;

import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * The events of the auction house, each a function of its number and the seed alone, so that any part of the sequence
 * can be made anywhere. Of 50 events one is a person, three are auctions and 46 are bids. Half of the bids go to the
 * hot auction of the last hundred, three of four come from the hot bidder, and three of four auctions from the hot
 * seller.
 *
 * <p>With seed 0 events are those of Apache Beam's generator with its default settings, value for value. Beam's bids
 * have no channel and no URL; those of Flink's variant of the benchmark are drawn apart, so that the rest stays the
 * same.
 */
public final class NexmarkGenerator {

    /** Time of the first event, milliseconds since 1970: 2023-11-14 22:13:20, with a midnight two hours later. */
    public static final long BASE_MILLIS = 1_700_000_000_000L;

    /** 10,000 events in a second of their own time. */
    public static final long INTERVAL_MICROS = 100;

    private static final int CYCLE = 50;
    private static final int PERSONS = 1;
    private static final int AUCTIONS = 3;
    private static final long FIRST_ID = 1000;
    private static final long FIRST_CATEGORY = 10;
    private static final int CATEGORIES = 5;
    private static final int ID_LEAD = 10;
    private static final int HOT_OF = 100;
    private static final int HOT_AUCTION_RATIO = 2;
    private static final int HOT_SELLER_RATIO = 4;
    private static final int HOT_BIDDER_RATIO = 4;
    private static final int ACTIVE_PEOPLE = 1000;
    private static final int AUCTIONS_IN_FLIGHT = 100;
    private static final int PERSON_BYTES = 200;
    private static final int AUCTION_BYTES = 500;
    private static final int BID_BYTES = 100;
    private static final int CHANNELS = 10_000;
    private static final long CHANNEL_SEED = 0x6e65786d61726bL;

    private static final List<String> STATES = List.of("AZ", "CA", "ID", "OR", "WA", "WY");
    private static final List<String> CITIES = List.of(
            "Phoenix",
            "Los Angeles",
            "San Francisco",
            "Boise",
            "Portland",
            "Bend",
            "Redmond",
            "Seattle",
            "Kent",
            "Cheyenne");
    private static final List<String> FIRST_NAMES =
            List.of("Peter", "Paul", "Luke", "John", "Saul", "Vicky", "Kate", "Julie", "Sarah", "Deiter", "Walter");
    private static final List<String> LAST_NAMES =
            List.of("Shultz", "Abrams", "Spencer", "White", "Bartels", "Walton", "Smith", "Jones", "Noris");
    private static final List<String> HOT_CHANNELS = List.of("Google", "Facebook", "Baidu", "Apple");

    private final long seed;
    private final long intervalMicros;

    /** The usual events: one every {@value #INTERVAL_MICROS} microseconds. */
    public NexmarkGenerator(long seed) {
        this(seed, INTERVAL_MICROS);
    }

    public NexmarkGenerator(long seed, long intervalMicros) {
        this.seed = seed * 0x9e3779b97f4a7c15L;
        this.intervalMicros = intervalMicros;
    }

    /** The event of a number. */
    public NexmarkEvent event(long number) {
        // The first draws of java.util.Random follow neighbouring seeds: Beam's categories come in runs, ours do not.
        Random random = new Random(seed == 0 ? number : new SplittableRandom(number ^ seed).nextLong());
        long place = number % CYCLE;
        if (place < PERSONS) {
            return person(number, random);
        }
        return place < PERSONS + AUCTIONS ? auction(number, random) : bid(number, random);
    }

    private NexmarkEvent person(long number, Random random) {
        String name = draw(FIRST_NAMES, random) + " " + draw(LAST_NAMES, random);
        String email = NexmarkText.words(random, 7) + "@" + NexmarkText.words(random, 5) + ".com";
        StringBuilder card = new StringBuilder(19);
        for (int i = 0; i < 4; i++) {
            card.append(i == 0 ? "" : " ").append(Integer.toString(10_000 + random.nextInt(10_000)), 1, 5);
        }
        String city = draw(CITIES, random);
        String state = draw(STATES, random);
        int bytes = 8 + name.length() + email.length() + card.length() + city.length() + state.length();
        return NexmarkEvent.of(
                number,
                NexmarkTable.PERSON,
                FIRST_ID + lastPerson(number),
                name,
                email,
                card.toString(),
                city,
                state,
                millis(number),
                NexmarkText.padding(random, bytes, PERSON_BYTES));
    }

    private NexmarkEvent auction(long number, Random random) {
        long seller = random.nextInt(HOT_SELLER_RATIO) > 0
                ? lastPerson(number) / HOT_OF * HOT_OF
                : activePerson(number, random);
        long category = FIRST_CATEGORY + random.nextInt(CATEGORIES);
        long initialBid = price(random);
        long expires = millis(number) + auctionMillis(number, random);
        String name = NexmarkText.words(random, 20);
        String description = NexmarkText.words(random, 100);
        long reserve = initialBid + price(random);
        return NexmarkEvent.of(
                number,
                NexmarkTable.AUCTION,
                FIRST_ID + lastAuction(number),
                name,
                description,
                initialBid,
                reserve,
                millis(number),
                expires,
                FIRST_ID + seller,
                category,
                NexmarkText.padding(random, 48 + name.length() + description.length(), AUCTION_BYTES));
    }

    private NexmarkEvent bid(long number, Random random) {
        long auction = random.nextInt(HOT_AUCTION_RATIO) > 0
                ? lastAuction(number) / HOT_OF * HOT_OF
                : auctionInFlight(number, random);
        // The second person of the hundred, so that the hot bidder is not the hot seller.
        long bidder = random.nextInt(HOT_BIDDER_RATIO) > 0
                ? lastPerson(number) / HOT_OF * HOT_OF + 1
                : activePerson(number, random);
        long price = price(random);
        String extra = NexmarkText.padding(random, 32, BID_BYTES);
        SplittableRandom channels = new SplittableRandom(number ^ seed ^ CHANNEL_SEED);
        boolean hot = channels.nextBoolean();
        int channel = channels.nextInt(hot ? HOT_CHANNELS.size() : CHANNELS);
        return NexmarkEvent.of(
                number,
                NexmarkTable.BID,
                FIRST_ID + auction,
                FIRST_ID + bidder,
                price,
                hot ? HOT_CHANNELS.get(channel) : "channel-" + channel,
                url(hot ? CHANNELS + channel : channel),
                millis(number),
                extra);
    }

    /** The address of a channel is always the same; one in ten of the small ones does not name it. */
    private String url(int channel) {
        Random random = new Random(channel ^ seed ^ CHANNEL_SEED);
        StringBuilder url = new StringBuilder("https://www.nexmark.com/");
        for (int i = 0; i < 3; i++) {
            url.append(NexmarkText.words(random, 5, '_')).append('/');
        }
        url.append("item.htm?query=1");
        if (channel < CHANNELS && random.nextInt(10) > 0) {
            url.append("&channel_id=").append(Math.abs(Integer.reverse(channel)));
        }
        return url.toString();
    }

    private static String draw(List<String> choices, Random random) {
        return choices.get(random.nextInt(choices.size()));
    }

    private static long price(Random random) {
        return Math.round(Math.pow(10, random.nextDouble() * 6) * 100);
    }

    private long millis(long number) {
        return BASE_MILLIS + number * intervalMicros / 1000;
    }

    /** As long as it takes, on average, until the auctions in flight are others. */
    private long auctionMillis(long number, Random random) {
        long events = (long) AUCTIONS_IN_FLIGHT * CYCLE / AUCTIONS;
        long horizon = millis(number + events) - millis(number);
        return 1L + random.nextInt((int) Math.max(2 * horizon, 1));
    }

    /** The newest person when an event comes, counted from 0. */
    private static long lastPerson(long number) {
        return number / CYCLE;
    }

    /** The newest auction when an event comes, counted from 0; −1 before the first. */
    private static long lastAuction(long number) {
        long cycles = number / CYCLE * AUCTIONS;
        long place = number % CYCLE;
        return place < PERSONS ? cycles - 1 : cycles + Math.min(place - PERSONS, AUCTIONS - 1);
    }

    private static long activePerson(long number, Random random) {
        long people = lastPerson(number) + 1;
        long active = Math.min(people, ACTIVE_PEOPLE);
        return people - active + random.nextInt((int) active + ID_LEAD);
    }

    private static long auctionInFlight(long number, Random random) {
        long last = lastAuction(number);
        long first = Math.max(last - AUCTIONS_IN_FLIGHT, 0);
        return first + random.nextInt((int) (last - first) + 1 + ID_LEAD);
    }
}
