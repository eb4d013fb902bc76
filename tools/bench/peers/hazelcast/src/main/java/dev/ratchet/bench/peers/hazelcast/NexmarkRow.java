/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.hazelcast;

import dev.ratchet.bench.nexmark.NexmarkChangeReader;

/**
 * A row as a Java program would hold it, with what some query asks of it; texts stay the bytes they came as.
 *
 * @param id of a person or an auction; the auction of a bid
 * @param owner of a bid the bidder, of an auction the seller
 * @param timeMillis since 1970
 * @param text of a person the name, of others what is beside: its place among the bytes of all changes
 */
record NexmarkRow(long id, long owner, long price, long timeMillis, Text text) {

    /** Some of the bytes of all changes. */
    record Text(byte[] bytes, int offset, int length) {}

    /** The change at which a reader stands. */
    static NexmarkRow of(NexmarkChangeReader change) {
        return switch (change.table()) {
            case PERSON -> new NexmarkRow(change.numberAt(0), 0, 0, change.numberAt(6), text(change, 1));
            case AUCTION ->
                new NexmarkRow(change.numberAt(0), change.numberAt(7), 0, change.numberAt(5), text(change, 9));
            case BID ->
                new NexmarkRow(
                        change.numberAt(0),
                        change.numberAt(1),
                        change.numberAt(2),
                        change.numberAt(5),
                        text(change, 6));
        };
    }

    private static Text text(NexmarkChangeReader change, int column) {
        return new Text(change.bytes(), change.offsetAt(column), change.lengthAt(column));
    }
}
