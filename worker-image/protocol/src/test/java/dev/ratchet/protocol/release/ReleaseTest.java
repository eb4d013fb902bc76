/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReleaseTest {

    @Test
    void theReleaseIsTheVersionInTheBuild() throws IOException {
        assertThat(Files.readString(Path.of("pom.xml"))).contains("<version>" + Release.VERSION + "</version>");
    }

    @Test
    void theCommitIsThatOfTheRepositoryOrUnknown() {
        assertThat(Release.COMMIT).matches("commit [0-9a-f]{12}(, changed)?|unknown commit");
        assertThat(Release.text()).isEqualTo(Release.VERSION + " (" + Release.COMMIT + ")");
    }

    @Test
    void aCommitTellsOfChangesAndSourcesWithoutRepositoryOfNothing() {
        assertThat(Release.commit("0123456789ab", "false")).isEqualTo("commit 0123456789ab");
        assertThat(Release.commit("0123456789ab", "true")).isEqualTo("commit 0123456789ab, changed");
        assertThat(Release.commit("", "")).isEqualTo("unknown commit");
    }
}
