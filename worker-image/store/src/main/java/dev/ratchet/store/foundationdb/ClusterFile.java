/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.foundationdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an {@code fdb.cluster} says, read before the native library is, because the library takes minutes to tell what
 * is wrong with one.
 */
record ClusterFile(Path path, List<Coordinator> coordinators) {

    private static final int LONGEST_BYTES = 1 << 16;
    private static final Pattern LINE = Pattern.compile("[A-Za-z0-9_]+:[A-Za-z0-9]+@(\\S+)");
    private static final Pattern COORDINATOR =
            Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+):([0-9]{1,5})(:tls)?(\\(fromHostname\\))?");

    /** The process that keeps a part of the cluster's configuration. */
    record Coordinator(String host, int port) {
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /** @throws FoundationDbException naming the file and what is wrong with it */
    static ClusterFile read(Path path) {
        String text = text(path);
        if (!Files.isWritable(path) || !Files.isWritable(path.toAbsolutePath().getParent())) {
            throw new FoundationDbException(
                    "The FoundationDB cluster file " + path + " or its directory can not be written: the client must"
                            + " rewrite it when coordinators change. Copy it to a directory of the process's own",
                    null);
        }
        List<String> lines = text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
        Matcher line = LINE.matcher(lines.size() == 1 ? lines.get(0) : "");
        if (!line.matches()) {
            throw malformed(path, lines.size() + " lines that are no comments");
        }
        List<Coordinator> coordinators = new ArrayList<>();
        for (String address : line.group(1).split(",", -1)) {
            Matcher matcher = COORDINATOR.matcher(address);
            if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > 65_535) {
                throw malformed(path, "the coordinator '" + address + "'");
            }
            String host = matcher.group(1);
            coordinators.add(new Coordinator(host, Integer.parseInt(matcher.group(2))));
        }
        return new ClusterFile(path, List.copyOf(coordinators));
    }

    private static String text(Path path) {
        try {
            if (!Files.isRegularFile(path)) {
                throw new FoundationDbException(
                        "The FoundationDB cluster file " + path + (Files.exists(path) ? " is no file" : " is not there")
                                + ": copy the fdb.cluster of your cluster to it",
                        null);
            }
            if (Files.size(path) > LONGEST_BYTES) {
                throw malformed(path, Files.size(path) + " bytes");
            }
            return Files.readString(path);
        } catch (IOException unreadable) {
            throw new FoundationDbException(
                    "The FoundationDB cluster file " + path + " can not be read (" + unreadable
                            + "): give this process's user the right to, and let it be text",
                    unreadable);
        }
    }

    /** Says nothing of the text itself: who knows it has the data. */
    private static FoundationDbException malformed(Path path, String found) {
        return new FoundationDbException(
                "The FoundationDB cluster file " + path + " is not one line of the form"
                        + " description:id@host:port,host:port with :tls after each port for TLS (found " + found
                        + "): copy the fdb.cluster of your cluster to it",
                null);
    }
}
