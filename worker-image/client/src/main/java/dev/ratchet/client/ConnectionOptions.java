/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How to reach a cluster, which code goes there, and of which classes results may be.
 *
 * @param document the connection document: key {@code connection} of a client's Secret, JSON
 * @param endpoints {@code host:port}, tried in order; empty = those of the document
 * @param artifacts jars or class directories with the user's classes, uploaded once by digest; where none is given, the
 *     one that holds the class of the first task
 * @param connectTimeout how long to try before a call fails, also after a connection is lost
 * @param resultClasses classes that objects of results may have besides plain values of the JDK, such as numbers,
 *     texts, times and collections, and what is in the artifacts: names, {@code com.acme.*} for a package,
 *     {@code com.acme.**} with those in it. Needed where a program awaits futures of others with classes that it sends
 *     no artifact for. Reading an object runs code of its class, so allow no more than what is expected
 */
public record ConnectionOptions(
        String document,
        List<String> endpoints,
        List<Path> artifacts,
        Duration connectTimeout,
        List<String> resultClasses) {

    /** Environment variable that names the file with the connection document. */
    public static final String ENVIRONMENT_VARIABLE = "RATCHET_CONNECTION";

    /** Most artifacts of one connection. */
    public static final int ARTIFACTS_MAX = 64;

    public ConnectionOptions {
        endpoints = List.copyOf(endpoints);
        artifacts = List.copyOf(artifacts);
        resultClasses = List.copyOf(resultClasses);
        if (artifacts.size() > ARTIFACTS_MAX) {
            throw new InvalidInputException(
                    "A connection has at most " + ARTIFACTS_MAX + " artifacts, not " + artifacts.size() + ".");
        }
    }

    /** This document, its own endpoints, no artifacts, 30 seconds to connect. */
    public static ConnectionOptions ofDocument(String document) {
        return new ConnectionOptions(document, List.of(), List.of(), Duration.ofSeconds(30), List.of());
    }

    /**
     * The document in {@code file}.
     *
     * @throws InvalidInputException if the file can not be read
     */
    public static ConnectionOptions ofFile(Path file) {
        try {
            return ofDocument(Files.readString(file));
        } catch (IOException unreadable) {
            throw new InvalidInputException(
                    "The connection file " + file + " can not be read. Name the file with the key 'connection' of the"
                            + " client's Secret.",
                    unreadable);
        }
    }

    /**
     * The document in the file that {@value #ENVIRONMENT_VARIABLE} names.
     *
     * @throws InvalidInputException if that is not set or its file can not be read
     */
    public static ConnectionOptions fromEnvironment() {
        String file = System.getenv(ENVIRONMENT_VARIABLE);
        if (file == null || file.isEmpty()) {
            throw new InvalidInputException("No connection: set " + ENVIRONMENT_VARIABLE
                    + " to the file with the key 'connection' of the client's Secret.");
        }
        return ofFile(Path.of(file));
    }

    /** Tries this endpoint before the others given so, and instead of those of the document. */
    public ConnectionOptions withEndpoint(String hostAndPort) {
        List<String> all = new ArrayList<>(endpoints);
        all.add(hostAndPort);
        return new ConnectionOptions(document, all, artifacts, connectTimeout, resultClasses);
    }

    /**
     * Sends this jar, or the classes below this directory, with the tasks of the connection, after those given before.
     *
     * @throws InvalidInputException if it is one more than {@link #ARTIFACTS_MAX}
     */
    public ConnectionOptions withArtifact(Path jarOrDirectory) {
        List<Path> all = new ArrayList<>(artifacts);
        all.add(jarOrDirectory);
        return new ConnectionOptions(document, endpoints, all, connectTimeout, resultClasses);
    }

    /** How long to try before a call fails, at first and after a connection is lost. */
    public ConnectionOptions withConnectTimeout(Duration timeout) {
        return new ConnectionOptions(document, endpoints, artifacts, timeout, resultClasses);
    }

    /** Lets objects of results have these classes, too. */
    public ConnectionOptions withResultClasses(String... namesOrPackages) {
        List<String> all = new ArrayList<>(resultClasses);
        all.addAll(List.of(namesOrPackages));
        return new ConnectionOptions(document, endpoints, artifacts, connectTimeout, all);
    }

    /** Whether {@link #resultClasses} has a class. */
    public boolean allowsResultClass(String name) {
        for (String allowed : resultClasses) {
            boolean fits = allowed.endsWith(".**")
                    ? name.startsWith(allowed.substring(0, allowed.length() - 2))
                    : allowed.endsWith(".*")
                            ? name.substring(0, name.lastIndexOf('.') + 1)
                                    .equals(allowed.substring(0, allowed.length() - 1))
                            : name.equals(allowed);
            if (fits) {
                return true;
            }
        }
        return false;
    }
}
