/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/**
 * A feed as the cluster knows it.
 *
 * @param name of the feed
 * @param view whose changes it takes
 * @param job of its futures
 * @param step the changes of all steps up to this one are submitted
 * @param submitted how many futures it has submitted in all
 * @param stop why it submits nothing any more, and what to do; empty while it does
 */
public record FeedInfo(String name, String view, String job, long step, long submitted, String stop) {}
