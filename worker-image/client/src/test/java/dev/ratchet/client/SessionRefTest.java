/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.SessionRef.Access;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** References of sessions as text: they come back, and what is wrong with others is said, without their secret. */
class SessionRefTest {

    private static final UUID ID = new UUID(1, 2);
    private static final String SECRET = "0123456789abcdef0123456789abcdef";

    @Test
    void aReferenceComesBack() {
        for (Access access : Access.values()) {
            SessionRef reference = new SessionRef(ID, access, SECRET);
            assertThat(SessionRef.parse(" " + reference.text() + "\n")).isEqualTo(reference);
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "session-1:00000000-0000-0001-0000-000000000002:own, 3 parts",
                "session-2:00000000-0000-0001-0000-000000000002:own:" + SECRET + ", begins with 'session-2'",
                "session-1:no-id:own:" + SECRET + ", 'no-id' is no id",
                "session-1:00000000-0000-0001-0000-000000000002:lend:" + SECRET + ", permits 'lend'",
                "session-1:00000000-0000-0001-0000-000000000002:own:0123456789abcdef, 32 hexadecimal digits",
                "session-1:00000000-0000-0001-0000-000000000002:own:0123456789ABCDEF0123456789ABCDEF, hexadecimal",
            })
    void whatIsNoReferenceIsToldWhy(String text, String why) {
        assertThatThrownBy(() -> SessionRef.parse(text))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining("89abcdef");
    }
}
