/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllowedClientsTest {

    @TempDir
    Path directory;

    @Test
    void onlyListedClientsAreAdmittedAndOthersThanClientsAlways() throws IOException {
        write("{\"clients\":[\"default\"]}");
        AllowedClients clients = new AllowedClients(directory);
        assertThat(clients.admits(caller(Kind.CLIENT, "default"))).isTrue();
        assertThat(clients.admits(caller(Kind.CLIENT, "batch"))).isFalse();
        assertThat(clients.admits(caller(Kind.WORKER, "orders-w-0"))).isTrue();
        assertThat(clients.admits(caller(Kind.OPERATOR, "operator"))).isTrue();
    }

    @Test
    void aFileWithoutTheListAdmitsEveryClientAndAnEmptyListNone() throws IOException {
        write("{}");
        AllowedClients clients = new AllowedClients(directory);
        assertThat(clients.admits(caller(Kind.CLIENT, "batch"))).isTrue();
        write("{\"clients\":[]}");
        clients.look();
        assertThat(clients.admits(caller(Kind.CLIENT, "batch"))).isFalse();
    }

    @Test
    void aChangeIsFollowedAndOneThatCanNotBeReadIsNot() throws IOException {
        write("{\"clients\":[\"batch\"]}");
        AllowedClients clients = new AllowedClients(directory);
        for (String unusable : new String[] {"{\"clients\":", "{\"clients\":\"default\"}", "[]", "{\"clients\":[1]}"}) {
            write(unusable);
            clients.look();
            assertThat(clients.admits(caller(Kind.CLIENT, "batch")))
                    .as(unusable)
                    .isTrue();
            assertThat(clients.admits(caller(Kind.CLIENT, "default")))
                    .as(unusable)
                    .isFalse();
        }
        write("{\"clients\":[\"default\"]}");
        clients.look();
        assertThat(clients.admits(caller(Kind.CLIENT, "batch"))).isFalse();
    }

    @Test
    void aListThatCanNotBeUsedAtTheStartIsRefused() throws IOException {
        write("{\"clients\":{\"a\":1}}");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AllowedClients(directory))
                .withMessageContaining("must be a list of names");
    }

    private void write(String document) throws IOException {
        Files.writeString(directory.resolve("cluster.json"), document);
    }

    private static Identity caller(Kind kind, String name) {
        return new Identity("team-a", "orders", kind, name);
    }
}
