/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The queries of the chart's dashboards and alerts, and the figures that they name. */
final class Queries {
    private static final Path FILES = Path.of("").toAbsolutePath().getParent().resolve("helm/ratchet/files");
    static final Path ALERTS = FILES.resolve("alerts.yaml");

    /** A name that is neither a function nor a label: our figures, those of the framework and those of the JVM. */
    private static final Pattern FIGURE =
            Pattern.compile("\\b(custom_resources|(?:ratchet|reconciliations|jvm|process)_\\w+)\\b(?:\\{([^}]*)})?");

    private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(?:=~|!=|!~|=)\\s*\"");
    private static final Pattern GROUPED = Pattern.compile("\\b(?:by|on)\\s*\\(([^)]*)\\)");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-zA-Z_:][\\w:]*)(?:\\{([^}]*)})? ");

    /** What Prometheus adds to each figure of a pod. */
    private static final Set<String> OF_TARGETS = Set.of("namespace", "instance", "pod", "job", "ratchet_dev_cluster");

    private Queries() {}

    /** Those of the dashboards, with their variables filled in. */
    static List<String> ofDashboards() {
        List<String> queries = new ArrayList<>();
        try (Stream<Path> files = Files.list(FILES.resolve("dashboards"))) {
            for (Path file : files.sorted().toList()) {
                for (JsonNode panel : new ObjectMapper().readTree(file.toFile()).path("panels")) {
                    panel.path("targets")
                            .forEach(target -> queries.add(target.path("expr")
                                    .asText()
                                    .replaceAll("\\$(namespace|cluster)\\b", ".+")
                                    .replace("$__rate_interval", "1m")));
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return queries;
    }

    /** Those of the alerts. */
    static List<String> ofAlerts() {
        try {
            List<String> queries = new ArrayList<>();
            new ObjectMapper(new YAMLFactory())
                    .readTree(ALERTS.toFile())
                    .at("/groups/0/rules")
                    .forEach(rule -> queries.add(rule.path("expr").asText()));
            return queries;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Figures in what processes serve, each with all labels that it has somewhere. */
    static Map<String, Set<String>> served(String metrics) {
        Map<String, Set<String>> served = new TreeMap<>();
        Matcher sample = SAMPLE.matcher(metrics);
        while (sample.find()) {
            Set<String> labels = served.computeIfAbsent(sample.group(1), name -> new TreeSet<>(OF_TARGETS));
            if (sample.group(2) != null) {
                Matcher label = LABEL.matcher(sample.group(2));
                while (label.find()) {
                    labels.add(label.group(1));
                }
            }
        }
        return served;
    }

    /** Figures of {@code query} that are not in {@code served}, and labels that their figures do not have. */
    static Set<String> missing(String query, Map<String, Set<String>> served) {
        Set<String> missing = new TreeSet<>();
        Set<String> grouped = new TreeSet<>();
        Matcher groups = GROUPED.matcher(query);
        while (groups.find()) {
            grouped.addAll(List.of(groups.group(1).split("\\s*,\\s*")));
        }
        Matcher figure = FIGURE.matcher(GROUPED.matcher(query).replaceAll(""));
        while (figure.find()) {
            Set<String> labels = served.get(figure.group(1));
            if (labels == null) {
                missing.add(figure.group(1));
                continue;
            }
            Set<String> named = new TreeSet<>(grouped);
            if (figure.group(2) != null) {
                Matcher label = LABEL.matcher(figure.group(2));
                while (label.find()) {
                    named.add(label.group(1));
                }
            }
            named.removeAll(labels);
            named.forEach(label -> missing.add(figure.group(1) + "{" + label + "}"));
        }
        return missing;
    }
}
