/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FormatNumbersTest {

    @Test
    void theNewestIsWrittenFromItsLevelOnAndBothAreRead() {
        FormatNumbers changed = new FormatNumbers(1, 3, 2);
        assertThat(changed.at(1)).isEqualTo(2);
        assertThat(changed.at(2)).isEqualTo(3);
        assertThat(changed.at(FormatNumbers.ANY_LEVEL)).isEqualTo(3);
        for (int level = 1; level < 4; level++) {
            assertThat(changed.reads(changed.at(level)))
                    .as("what is written in level %d", level)
                    .isTrue();
        }
        assertThat(changed.reads(0)).isFalse();
        assertThat(changed.reads(4)).isFalse();
        assertThat(changed).hasToString("1 to 3");
        assertThat(new FormatNumbers(2, 2, 1)).hasToString("2");
    }

    @Test
    void aFormatThatIsWrittenMustBeRead() {
        assertThatThrownBy(() -> new FormatNumbers(2, 2, 2)).hasMessageContaining("must be read");
        assertThatThrownBy(() -> new FormatNumbers(0, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FormatNumbers(2, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
