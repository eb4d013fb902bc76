/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.List;

/**
 * The main class of a user's jar for {@code ratchet submit --class}: runs in the client's process and hands its work to
 * the cluster as futures. Needs a public constructor without parameters.
 */
@FunctionalInterface
public interface Program {

    /**
     * Runs to the end of the program; the connection is closed by the caller.
     *
     * @throws InvalidInputException if the arguments can not be used: one line on standard error, exit code 2
     * @throws Exception any other failure: exit code 1
     */
    void run(Ratchet ratchet, List<String> arguments) throws Exception;
}
