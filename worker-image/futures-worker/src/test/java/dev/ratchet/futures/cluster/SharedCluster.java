/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static java.util.Objects.requireNonNull;

import dev.ratchet.client.Ratchet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The cluster of {@link OnCluster}. It is no static field of the tests, because workers load their classes as users'
 * code and would start another.
 */
final class SharedCluster implements BeforeAllCallback, AfterAllCallback, ParameterResolver {

    private @Nullable TestCluster cluster;
    private @Nullable Ratchet ratchet;
    private @Nullable Path directory;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        int[] threads =
                context.getRequiredTestClass().getAnnotation(OnCluster.class).threads();
        directory = Files.createTempDirectory("ratchet");
        cluster = new TestCluster(directory);
        for (int ordinal = 0; ordinal < threads.length; ordinal++) {
            cluster.start(ordinal, threads[ordinal]);
        }
        ratchet = cluster.connect();
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        requireNonNull(cluster).close();
        try (Stream<Path> files = Files.walk(requireNonNull(directory))) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == TestCluster.class || type == Ratchet.class;
    }

    @Override
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Ratchet.class ? ratchet : cluster;
    }
}
