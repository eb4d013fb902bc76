/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import picocli.CommandLine.IVersionProvider;

/** The release of this command line, from its jar. */
final class Release implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String release = Release.class.getPackage().getImplementationVersion();
        return new String[] {"ratchet " + (release == null ? "(not packaged)" : release)};
    }
}
