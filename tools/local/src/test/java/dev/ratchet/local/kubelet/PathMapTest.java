/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PathMapTest {

    private final PathMap paths = new PathMap(Map.of(
            "/tmp", Path.of("/h/t"),
            "/var/lib/ratchet", Path.of("/h/data"),
            "/var/lib/ratchet/deep/", Path.of("/h/deep"),
            "/opt/ratchet", Path.of("/d$1")));

    @Test
    void aMountPathIsReplacedWhereItBeginsAWord() {
        assertThat(paths.translate("/tmp")).isEqualTo("/h/t");
        assertThat(paths.translate("/tmp/x/tmp")).isEqualTo("/h/t/x/tmp");
        assertThat(paths.translate("-Da=/tmp -Db=/tmp/y:/tmp")).isEqualTo("-Da=/h/t -Db=/h/t/y:/h/t");
    }

    @Test
    void aPathThatOnlyContainsAMountPathStays() {
        assertThat(paths.translate("/var/tmp")).isEqualTo("/var/tmp");
        assertThat(paths.translate("/tmpfile http://host/tmp")).isEqualTo("/tmpfile http://host/tmp");
    }

    @Test
    void theLongestMountPathWins() {
        assertThat(paths.translate("/var/lib/ratchet/deep/er")).isEqualTo("/h/deep/er");
        assertThat(paths.translate("/var/lib/ratchet/deeper")).isEqualTo("/h/data/deeper");
    }

    @Test
    void aFolderIsTakenLiterally() {
        assertThat(paths.translate("/opt/ratchet/bin/worker")).isEqualTo("/d$1/bin/worker");
    }

    @Test
    void withoutMountsNothingChanges() {
        assertThat(new PathMap(Map.of()).translate("/tmp a")).isEqualTo("/tmp a");
    }
}
