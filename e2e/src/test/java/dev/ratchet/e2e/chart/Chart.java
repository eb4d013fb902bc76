/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.chart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** The chart of this checkout as Helm sees it. */
final class Chart {
    static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    static final Path FOLDER = ROOT.resolve("helm/ratchet");
    static final String RELEASE = "ratchet";
    static final String NAMESPACE = "ratchet-system";

    private Chart() {}

    static LintResult lint() {
        return new Helm(FOLDER).lint().strict().call();
    }

    /** What an install on Kubernetes of that version would create; {@code values} is YAML. */
    static Rendered render(String kubernetes, String values) {
        return new Rendered(text(RELEASE, kubernetes, values));
    }

    /**
     * The objects that {@code helm test} would create; Helm leaves them out of a rendering as long as they are hooks.
     */
    static Rendered renderTests(String kubernetes, String values) {
        try {
            Path copy = Path.of("target/chart-with-tests").toAbsolutePath();
            try (Stream<Path> files = Files.walk(FOLDER)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Path target = copy.resolve(FOLDER.relativize(file).toString());
                    boolean test = file.getParent().endsWith("templates/tests");
                    if (test || !file.getParent().endsWith("templates") || file.endsWith("_helpers.tpl")) {
                        Files.createDirectories(target.getParent());
                        String text = Files.readString(file);
                        Files.writeString(target, test ? text.replace("helm.sh/hook: test", "hook: none") : text);
                    }
                }
            }
            return new Rendered(text(copy, RELEASE, kubernetes, values));
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    static String text(String release, String kubernetes, String values) {
        return text(FOLDER, release, kubernetes, values);
    }

    private static String text(Path chart, String release, String kubernetes, String values) {
        try {
            Path file = Files.createTempFile("values", ".yaml");
            try {
                Files.writeString(file, values);
                return new Helm(chart)
                        .template()
                        .withName(release)
                        .withNamespace(NAMESPACE)
                        .withKubeVersion(kubernetes)
                        .withValuesFile(file)
                        .call();
            } finally {
                Files.delete(file);
            }
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    static String read(String path) {
        try {
            return Files.readString(ROOT.resolve(path));
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    /** The objects of one rendering. */
    record Rendered(String text) {
        /** As they are written, without the models of the client. */
        List<JsonNode> documents() {
            YAMLMapper yaml = new YAMLMapper();
            try (MappingIterator<JsonNode> documents =
                    yaml.readerFor(JsonNode.class).readValues(text)) {
                return documents.readAll().stream()
                        .filter(document -> !document.isMissingNode() && !document.isNull())
                        .toList();
            } catch (IOException problem) {
                throw new UncheckedIOException(problem);
            }
        }

        List<HasMetadata> objects() {
            Object read = new KubernetesSerialization().unmarshal(text);
            Collection<?> all = read instanceof Collection<?> many ? many : List.of(read);
            return all.stream().map(HasMetadata.class::cast).toList();
        }

        <T extends HasMetadata> List<T> all(Class<T> type) {
            return objects().stream().filter(type::isInstance).map(type::cast).toList();
        }

        <T extends HasMetadata> T only(Class<T> type) {
            List<T> found = all(type);
            if (found.size() != 1) {
                throw new AssertionError("expected one " + type.getSimpleName() + ", not " + found.size());
            }
            return found.getFirst();
        }
    }
}
