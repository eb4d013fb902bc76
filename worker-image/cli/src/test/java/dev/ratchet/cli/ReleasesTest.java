/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.cli.view.Format;
import dev.ratchet.protocol.client.v1.MemberStatus;
import dev.ratchet.protocol.client.v1.StatusReply;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** During an upgrade the workers themselves tell how many are of which release. */
class ReleasesTest {

    @Test
    void workersAreCountedByRelease() {
        StatusReply status = StatusReply.newBuilder()
                .addMembers(MemberStatus.newBuilder().setSeat("orders-w-0").setVersion("0.1.0"))
                .addMembers(MemberStatus.newBuilder().setSeat("orders-w-1").setVersion("0.2.0"))
                .addMembers(MemberStatus.newBuilder().setSeat("orders-w-2").setVersion("0.1.0"))
                .build();
        StringWriter text = new StringWriter();
        ReleasesCommand.view(status).print(Format.text, new PrintWriter(text));
        assertThat(text.toString())
                .containsPattern("0\\.1\\.0 +2")
                .containsPattern("0\\.2\\.0 +1")
                .contains("orders-w-2");
    }

    @Test
    void aClientThatWouldRaiseTheFormatsIsToldWhoDoes() {
        StringWriter errors = new StringWriter();
        int code = RatchetCommand.commandLine().setErr(new PrintWriter(errors)).execute("upgrade", "finalize");
        assertThat(code).isEqualTo(2);
        assertThat(errors.toString()).contains("The operator raises", "kubectl ratchet upgrade finalize");
    }
}
