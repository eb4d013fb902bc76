/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import dev.ratchet.e2e.environment.Command;
import dev.ratchet.e2e.environment.TestEnvironment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/** Does to the scale subresource what the autoscaler's controller does: reads it, checks the selector, replaces it. */
record ScaleSubresourceAutoscaler(TestEnvironment environment, Cluster cluster) implements Autoscaler {

    /** Where somebody else, such as the operator, has written meanwhile, it looks again, as the controller does. */
    @Override
    public void want(int replicas) {
        Command replaced = replace(replicas);
        Instant end = Instant.now().plus(Cluster.TIMEOUT);
        while (replaced.output().contains("the object has been modified")
                && Instant.now().isBefore(end)) {
            replaced = replace(replicas);
        }
        replaced.succeeded();
    }

    private Command replace(int replicas) {
        String path = "/apis/ratchet.dev/v1alpha1/namespaces/" + cluster.namespace + "/computeclusters/" + cluster.name
                + "/scale";
        String scale = environment.kubectl().run("get", "--raw", path).succeeded();
        if (!scale.contains("ratchet.dev/component=worker")) {
            throw new AssertionError("the scale subresource has no selector an autoscaler could use: " + scale);
        }
        String wanted = scale.replaceFirst("(\"spec\":\\s*\\{\\s*\"replicas\":\\s*)\\d+", "$1" + replicas);
        try {
            Path file = Files.createTempFile("scale", ".json");
            Files.writeString(file, wanted);
            Command replaced = environment.kubectl().run("replace", "--raw", path, "-f", file.toString());
            Files.delete(file);
            return replaced;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {}
}
