/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import dev.ratchet.protocol.client.v1.EndFeedReply;
import dev.ratchet.protocol.client.v1.FeedDescription;
import dev.ratchet.protocol.client.v1.ListFeedsReply;
import dev.ratchet.protocol.client.v1.PutFeedRequest;
import java.util.concurrent.CompletableFuture;

/** What clients do with feeds, by which views submit futures. Fails as a {@link ViewSource} does. */
public interface ViewFeeds {

    /** Begins a feed, or changes what one that is there submits. */
    CompletableFuture<FeedDescription> put(PutFeedRequest request);

    CompletableFuture<ListFeedsReply> list();

    CompletableFuture<EndFeedReply> end(String name);
}
