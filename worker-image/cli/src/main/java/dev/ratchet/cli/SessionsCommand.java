/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import picocli.CommandLine.Command;

/** {@code ratchet sessions}: looks at sessions and closes them. */
@Command(
        name = "sessions",
        description = "Lists, shows and closes sessions.",
        mixinStandardHelpOptions = true,
        subcommands = {SessionsListCommand.class, SessionsShowCommand.class, SessionsCloseCommand.class})
final class SessionsCommand {}
