/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.context;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.ratchet.client.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The connections that a user has given names, and which one is meant where none is named. They hold keys: the file is
 * readable for its owner alone, and written as a whole or not at all.
 */
public final class Contexts {

    private static final int CONTEXTS_MAX = 1_000;
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._:@/-]{0,252}";
    private final Path file;

    /** Apart, because a command that is told its connection needs none. */
    private static final class Yaml {
        private static final YAMLMapper MAPPER = new YAMLMapper();
    }

    public Contexts(Path file) {
        this.file = file;
    }

    /**
     * Those of this user: {@code ratchet/config} below {@code $XDG_CONFIG_HOME}, which is {@code ~/.config} by default.
     */
    public static Contexts ofUser() {
        return ofUser(System.getenv(), System.getProperty("user.home"));
    }

    static Contexts ofUser(Map<String, String> environment, String home) {
        String base = environment.getOrDefault("XDG_CONFIG_HOME", "");
        return new Contexts((base.isEmpty() ? Path.of(home, ".config") : Path.of(base)).resolve("ratchet/config"));
    }

    public Path file() {
        return file;
    }

    public List<String> names() {
        List<String> names = new ArrayList<>();
        read().path("contexts").fieldNames().forEachRemaining(names::add);
        return names.stream().sorted().toList();
    }

    /** The one that is meant where none is named. */
    public Optional<String> current() {
        return Optional.of(read().path("current").asText("")).filter(name -> !name.isEmpty());
    }

    /**
     * The connection document of a context.
     *
     * @throws InvalidInputException if there is no such context
     */
    public String document(String name) {
        return known(read(), name).path("connection").toString();
    }

    /**
     * Keeps a connection, in place of one that has the name already; the first one becomes the current one.
     *
     * @return whether the name was new
     */
    public boolean add(String name, JsonNode document) {
        if (!name.matches(NAME)) {
            throw new InvalidInputException("A context's name has 1 to 253 letters, digits and . _ : @ / - and begins"
                    + " with a letter or digit; '" + name + "' does not.");
        }
        ObjectNode config = read();
        ObjectNode contexts = config.withObject("/contexts");
        boolean isNew = !contexts.has(name);
        if (isNew && contexts.size() >= CONTEXTS_MAX) {
            throw new InvalidInputException("There are " + CONTEXTS_MAX + " contexts already. Remove one first.");
        }
        contexts.putObject(name).set("connection", document);
        if (config.path("current").asText("").isEmpty()) {
            config.put("current", name);
        }
        write(config);
        return isNew;
    }

    /** Makes a context the current one. */
    public void use(String name) {
        ObjectNode config = read();
        known(config, name);
        write(config.put("current", name));
    }

    /** Forgets a context; if it was the current one, there is none then. */
    public void remove(String name) {
        ObjectNode config = read();
        known(config, name);
        config.withObject("/contexts").remove(name);
        if (config.path("current").asText("").equals(name)) {
            config.remove("current");
        }
        write(config);
    }

    private JsonNode known(ObjectNode config, String name) {
        JsonNode context = config.path("contexts").path(name);
        if (context.isMissingNode()) {
            throw new InvalidInputException("There is no context '" + name + "' in " + file + "; there "
                    + (names().isEmpty() ? "are none" : "is " + String.join(", ", names()))
                    + ". Add one with: ratchet context add NAME --connection FILE");
        }
        return context;
    }

    private ObjectNode read() {
        try {
            if (!Files.exists(file)) {
                return Yaml.MAPPER.createObjectNode();
            }
            JsonNode config = Yaml.MAPPER.readTree(Files.readString(file));
            boolean isEmpty = config.isMissingNode() || config.isNull();
            if (!isEmpty && !config.isObject()) {
                throw unreadable(new IOException("it is no YAML object"));
            }
            return isEmpty ? Yaml.MAPPER.createObjectNode() : (ObjectNode) config;
        } catch (JsonProcessingException notYaml) {
            throw unreadable(new IOException(notYaml.getOriginalMessage(), notYaml));
        } catch (IOException failed) {
            throw unreadable(failed);
        }
    }

    private InvalidInputException unreadable(IOException cause) {
        return new InvalidInputException(
                "The contexts in " + file + " can not be read: " + cause.getMessage()
                        + ". Correct the file, or move it away.",
                cause);
    }

    private void write(ObjectNode config) {
        var ownersAlone = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var ownersFolder = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        try {
            Path target = Files.exists(file) ? file.toRealPath() : file;
            Path folder = target.toAbsolutePath().getParent();
            Files.createDirectories(folder, ownersFolder);
            Path next = Files.createTempFile(folder, ".config", "", ownersAlone);
            try {
                Yaml.MAPPER.writeValue(next.toFile(), config);
                Files.move(next, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(next);
            }
        } catch (IOException unwritable) {
            throw new InvalidInputException(
                    "The contexts in " + file + " can not be written: " + unwritable, unwritable);
        }
    }
}
