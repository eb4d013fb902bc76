/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.cluster;

import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.TestAuthority;
import java.io.IOException;
import java.nio.file.Path;

/** Who is who in a cluster that is measured, and the authority that signs for all of them. */
final class Identities {

    static final String NAMESPACE = "bench";
    static final String CLUSTER = "bench";
    static final String RELEASE = "bench";
    static final Identity STORE = new Identity(NAMESPACE, CLUSTER, Kind.STORE, "bench-store-0");
    /** Reads and writes the store beside the workers. */
    static final Identity OBSERVER = new Identity(NAMESPACE, CLUSTER, Kind.WORKER, "bench-observer");

    static final Identity CLIENT = client("default");

    private final TestAuthority authority = new TestAuthority("bench-ca");

    static String seat(int worker) {
        return CLUSTER + "-w-" + worker;
    }

    static Identity worker(int worker) {
        return new Identity(NAMESPACE, CLUSTER, Kind.WORKER, seat(worker));
    }

    static Identity client(String name) {
        return new Identity(NAMESPACE, CLUSTER, Kind.CLIENT, name);
    }

    /** The name that clients expect of any worker. */
    static String workersName() {
        return Identity.authority(CLUSTER + "-client", NAMESPACE);
    }

    /** The credential of one process in a directory of its own. */
    Path write(Identity self, Path directory) throws IOException {
        issue(self).writeTo(directory);
        return directory;
    }

    TestAuthority.Issued issue(Identity self) {
        return self.kind() == Kind.WORKER ? authority.issue(self, workersName()) : authority.issue(self);
    }
}
