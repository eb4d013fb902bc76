/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ratchet.environment.Environment;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.store.ClusterConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns which clients may call: the names under {@code clients} of {@code cluster.json}, followed while running, because
 * a certificate alone admits its holder until it ends. A file without the list, which an older operator writes, admits
 * every client; one that can not be read leaves the former list in force. What each may do is under {@code roles};
 * whoever has none there may do everything. Safe for use by several threads.
 */
final class AllowedClients {

    private static final Logger LOG = LoggerFactory.getLogger(AllowedClients.class);
    private static final long PERIOD_MILLIS = 2_000;
    private static final long LONGEST_BYTES = 1 << 20;
    private static final JsonMapper MAPPER = new JsonMapper();

    /** @param names those that are admitted; empty: all */
    private record Listed(Optional<Set<String>> names, Map<String, ClientRole> roles) {
        @Override
        public String toString() {
            return names.map(Set::toString).orElse("all") + (roles.isEmpty() ? "" : " roles=" + roles);
        }
    }

    private final Path file;
    private volatile Listed listed;
    private String lastMistake = "";

    /**
     * Reads the list.
     *
     * @throws IllegalArgumentException if it can not be used
     */
    AllowedClients(Path configurationDirectory) {
        this.file = configurationDirectory.resolve(ClusterConfiguration.FILE);
        this.listed = read(file);
        if (listed.names().isEmpty()) {
            LOG.warn("The configuration lists no clients, so every certified one is admitted: file={}", file);
        }
    }

    void follow(Environment environment) {
        environment.schedule(PERIOD_MILLIS, () -> {
            follow(environment);
            look();
        });
    }

    /** True unless {@code caller} is a client that is not listed. */
    boolean admits(Identity caller) {
        return caller.kind() != Kind.CLIENT
                || listed.names().map(names -> names.contains(caller.name())).orElse(true);
    }

    /** What {@code caller} may do as a client; others than clients are judged elsewhere, and have no bounds here. */
    ClientRole role(Identity caller) {
        return caller.kind() == Kind.CLIENT
                ? listed.roles().getOrDefault(caller.name(), ClientRole.ADMIN)
                : ClientRole.ADMIN;
    }

    synchronized void look() {
        try {
            Listed found = read(file);
            lastMistake = "";
            if (!found.equals(listed)) {
                listed = found;
                LOG.info("Clients admitted from now on: {}", found);
            }
        } catch (IllegalArgumentException unusable) {
            String mistake = String.valueOf(unusable.getMessage());
            if (!mistake.equals(lastMistake)) {
                lastMistake = mistake;
                LOG.warn("The list of clients can not be used, the former stays in force: {}", mistake);
            }
        }
    }

    private static Listed read(Path file) {
        try {
            if (Files.size(file) > LONGEST_BYTES) {
                throw new IllegalArgumentException(file + " is longer than " + LONGEST_BYTES + " bytes");
            }
            JsonNode document = MAPPER.readTree(Files.readString(file));
            return new Listed(names(file, document), roles(file, document.path("roles")));
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(file + " is not JSON: " + malformed.getOriginalMessage(), malformed);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("The list of clients can not be read: " + unreadable, unreadable);
        }
    }

    private static Optional<Set<String>> names(Path file, JsonNode document) {
        if (!document.isObject()) {
            throw new IllegalArgumentException(file + " is not a JSON object");
        }
        JsonNode list = document.path("clients");
        if (list.isMissingNode()) {
            return Optional.empty();
        }
        Set<String> names = new TreeSet<>();
        for (JsonNode name : list) {
            if (!name.isTextual()) {
                throw new IllegalArgumentException(file + ": \"clients\" must be a list of names, it has " + name);
            }
            names.add(name.textValue());
        }
        if (!list.isArray()) {
            throw new IllegalArgumentException(file + ": \"clients\" must be a list of names, it is " + list);
        }
        return Optional.of(names);
    }

    private static Map<String, ClientRole> roles(Path file, JsonNode given) {
        if (!given.isMissingNode() && !given.isObject()) {
            throw new IllegalArgumentException(file + ": \"roles\" must be an object, it is " + given);
        }
        Map<String, ClientRole> roles = new TreeMap<>();
        given.properties()
                .forEach(role ->
                        roles.put(role.getKey(), ClientRole.of(role.getValue().asText())));
        return Map.copyOf(roles);
    }
}
