/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The resources of this checkout: those in the examples and the chart's notes, and those that the rules are tried on.
 */
final class Resources {

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory())
            .enable(DeserializationFeature.USE_LONG_FOR_INTS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    private Resources() {}

    /** A resource of ours in a file. */
    record Manifest(String file, ObjectNode object) {
        @Override
        public String toString() {
            return file;
        }
    }

    /** An object, created or put in the place of another, and whether a rule refuses that with the message. */
    record Attempt(
            String rule,
            String message,
            boolean refused,
            @Nullable JsonNode before,
            JsonNode after) {
        @Override
        public String toString() {
            return rule + ": " + message + (refused ? " (refused) " : " (taken) ") + after.path("spec");
        }
    }

    static String plural(String kind) {
        return kind.toLowerCase(Locale.ROOT) + "s";
    }

    static List<Manifest> manifests() throws IOException {
        List<Manifest> manifests = new ArrayList<>();
        try (Stream<Path> files = Files.walk(ROOT.resolve("examples"))) {
            for (Path file : files.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .sorted()
                    .toList()) {
                addResources(file, Files.readString(file), manifests);
            }
        }
        Path notes = ROOT.resolve("helm/ratchet/templates/NOTES.txt");
        String shown = Files.readString(notes).replaceAll("(?s).*<<'YAML'\n(.*?)\n *YAML\n.*", "$1");
        String version = YAML.readTree(ROOT.resolve("helm/ratchet/Chart.yaml").toFile())
                .path("appVersion")
                .asText();
        addResources(
                notes,
                shown.replace("{{ .Chart.AppVersion }}", version).replaceAll("\\{\\{.*}}", "default"),
                manifests);
        return manifests;
    }

    private static void addResources(Path file, String text, List<Manifest> manifests) throws IOException {
        try (MappingIterator<JsonNode> documents =
                YAML.readerFor(JsonNode.class).readValues(text)) {
            while (documents.hasNext()) {
                JsonNode document = documents.next();
                if (document.path("apiVersion").asText().startsWith("ratchet.dev/")) {
                    manifests.add(new Manifest(ROOT.relativize(file).toString(), (ObjectNode) document));
                }
            }
        }
    }

    /** What {@code rules.yaml} of the definitions has for one rule; changes are pairs of old and new. */
    private record Cases(
            String kind,
            String path,
            String message,
            @Nullable List<JsonNode> accepts,
            @Nullable List<JsonNode> rejects,
            @Nullable List<List<JsonNode>> acceptsChanges,
            @Nullable List<List<JsonNode>> rejectsChanges) {

        Stream<Attempt> attempts() {
            return Stream.of(
                            objects(accepts, false),
                            objects(rejects, true),
                            changes(acceptsChanges, false),
                            changes(rejectsChanges, true))
                    .flatMap(some -> some);
        }

        private Stream<Attempt> objects(@Nullable List<JsonNode> fragments, boolean refused) {
            return fragments == null
                    ? Stream.of()
                    : fragments.stream().map(fragment -> attempt(refused, null, whole(fragment)));
        }

        private Stream<Attempt> changes(@Nullable List<List<JsonNode>> pairs, boolean refused) {
            return pairs == null
                    ? Stream.of()
                    : pairs.stream().map(pair -> change(refused, good(pair.get(0)), good(pair.get(1))));
        }

        /** The object keeps its name, also where that tells of what is changed. */
        private Attempt change(boolean refused, ObjectNode before, ObjectNode after) {
            after.set("metadata", before.path("metadata").deepCopy());
            return attempt(refused, before, after);
        }

        private Attempt attempt(boolean refused, @Nullable JsonNode before, JsonNode after) {
            return new Attempt(kind + " " + path, message, refused, before, after);
        }

        private ObjectNode whole(JsonNode fragment) {
            return WholeObject.around(kind, path, fragment, false);
        }

        /** Of a change both objects are good by themselves. */
        private ObjectNode good(JsonNode fragment) {
            return WholeObject.around(kind, path, fragment, true);
        }
    }

    static Stream<Attempt> attempts() throws IOException {
        Path file = ROOT.resolve("crds/src/test/resources/dev/ratchet/crds/schema/rules.yaml");
        List<Cases> cases = YAML.readValue(file.toFile(), new TypeReference<List<Cases>>() {});
        return cases.stream().flatMap(Cases::attempts);
    }
}
