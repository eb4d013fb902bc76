/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.store.ClusterConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CircuitAccessTest {

    @TempDir
    Path directory;

    private CircuitAccess access;

    @BeforeEach
    void list() throws IOException {
        Files.writeString(
                directory.resolve(ClusterConfiguration.FILE),
                "{\"clients\":[\"shop\",\"viewer\"],\"roles\":{\"viewer\":\"Read\",\"shop\":\"Submit\"}}");
        access = new CircuitAccess(
                new AllowedClients(directory), new Identity("team-a", "orders", Kind.WORKER, "orders-w-0"));
    }

    @Test
    void aClientDoesWhatItsRoleAllows() {
        Identity viewer = new Identity("team-a", "orders", Kind.CLIENT, "viewer");
        assertThat(access.refusal(viewer, false)).isEmpty();
        assertThat(access.refusal(viewer, true))
                .get()
                .asString()
                .contains("has the role Read, which does not allow to add rows");
        assertThat(access.refusal(new Identity("team-a", "orders", Kind.CLIENT, "shop"), true))
                .isEmpty();
    }

    @Test
    void othersThanTheListedClientsOfThisClusterAreRefused() {
        assertThat(access.refusal(new Identity("team-a", "orders", Kind.CLIENT, "gone"), false))
                .get()
                .asString()
                .contains("is not among the clients of this cluster (spec.access.clients)");
        assertThat(access.refusal(new Identity("team-b", "orders", Kind.CLIENT, "shop"), false))
                .get()
                .asString()
                .contains("is no client of the cluster team-a/orders");
        assertThat(access.refusal(new Identity("team-a", "orders", Kind.WORKER, "orders-w-0"), false))
                .isPresent();
    }
}
