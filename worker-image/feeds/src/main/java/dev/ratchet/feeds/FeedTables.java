/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.feeds;

import dev.ratchet.protocol.feeds.v1.FeedRecord;
import dev.ratchet.store.keyspace.KeyTree;
import dev.ratchet.store.keyspace.TableSchema;
import dev.ratchet.store.keyspace.Values;
import java.util.List;

/** The tables of feeds. Written by who begins or ends a feed, and by the coordinator that delivers. */
public final class FeedTables implements KeyTree {

    /** What each feed submits. */
    public static final TableSchema<FeedRecord> FEED =
            TableSchema.of("feeds", "feed", Values.message(FeedRecord.parser()), "name");

    @Override
    public List<TableSchema<?>> tables() {
        return List.of(FEED);
    }
}
