/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.OptionalLong;

/**
 * How a view feeds tasks.
 *
 * @param name of the feed in its cluster, 1 to 100 characters
 * @param after the step behind which it begins; empty: behind the last one there is when it begins. Only when it
 *     begins: a feed that is there goes on where it is
 * @param pendingMax most futures of the job that are not done, above which nothing is submitted; 1 to 100,000
 * @param task how each future is treated; its job is that of the feed alone
 */
public record FeedOptions(String name, OptionalLong after, int pendingMax, SubmitOptions task) {

    /** Most futures that one feed may have waiting or running. */
    public static final int PENDING_MAX = 100_000;

    private static final int NAME_LENGTH_MAX = 100;
    private static final int PENDING_DEFAULT = 10_000;

    /** @throws InvalidInputException outside of the limits, or where the futures can not be treated so */
    public FeedOptions {
        if (name.isEmpty() || name.length() > NAME_LENGTH_MAX || name.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidInputException("The name of a feed has 1 to " + NAME_LENGTH_MAX
                    + " characters and no control characters: '" + name + "'.");
        }
        if (after.isPresent() && after.getAsLong() < 0) {
            throw new InvalidInputException("A step is a number from 0 on, not " + after.getAsLong() + ".");
        }
        if (pendingMax < 1 || pendingMax > PENDING_MAX) {
            throw new InvalidInputException(
                    "A feed has 1 to " + PENDING_MAX + " pending futures, and not " + pendingMax + ".");
        }
        if (task.key().isPresent() || task.session().isPresent() || task.speculativeValue()) {
            throw new InvalidInputException("The futures of a feed follow from its rows, and are of no session:"
                    + " leave out withKey, withSession and withSpeculativeValue.");
        }
    }

    /** Begins behind the last step, with at most 10,000 futures pending, in a job of the feed's name. */
    public static FeedOptions named(String name) {
        return new FeedOptions(name, OptionalLong.empty(), PENDING_DEFAULT, SubmitOptions.ofJob(name));
    }

    /** Begins behind a step, such as that of a {@link ViewSnapshot}. */
    public FeedOptions withAfter(long step) {
        return new FeedOptions(name, OptionalLong.of(step), pendingMax, task);
    }

    /** With another limit. */
    public FeedOptions withPendingMax(int newPendingMax) {
        return new FeedOptions(name, after, newPendingMax, task);
    }

    /** With futures that are treated so; their job should be the feed's alone. */
    public FeedOptions withTask(SubmitOptions newTask) {
        return new FeedOptions(name, after, pendingMax, newTask);
    }
}
