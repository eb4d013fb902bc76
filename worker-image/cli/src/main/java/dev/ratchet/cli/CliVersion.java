/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import picocli.CommandLine.IVersionProvider;

/** The release of this command line. */
final class CliVersion implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"ratchet " + dev.ratchet.protocol.release.Release.text()};
    }
}
