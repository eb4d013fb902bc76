/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.release;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VersionRangeTest {

    @Test
    void thisReleaseIsInTheTableOfReleases() {
        assertThat(VersionRange.formatsOf(Release.VERSION)).contains(VersionRange.FORMATS);
        assertThat(VersionRange.formatsOf("99.1.0")).isEmpty();
        assertThat(VersionRange.formatsOf("latest")).isEmpty();
    }

    @Test
    void rangesShareAVersionIfNeitherEndsBeforeTheOther() {
        VersionRange range = new VersionRange(2, 3);
        assertThat(range.shares(new VersionRange(1, 2))).isTrue();
        assertThat(range.shares(new VersionRange(3, 9))).isTrue();
        assertThat(range.shares(new VersionRange(1, 1))).isFalse();
        assertThat(range.shares(new VersionRange(4, 4))).isFalse();
    }

    @Test
    void aProcessThatRecordedNoRangeIsOfTheFirstRelease() {
        assertThat(VersionRange.recorded(0, 0)).isEqualTo(new VersionRange(1, 1));
    }
}
