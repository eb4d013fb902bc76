/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Replaces paths as a container sees them by the folders of this machine that stand for them, wherever such a path
 * begins a word of a value: a process without a mount namespace sees the machine's own file system. {@code /tmp} in
 * {@code -Da=/tmp/x} is a word, in {@code /var/tmp} it is not. Immutable.
 */
final class PathMap {

    private final Map<String, Path> folders;
    private final Pattern paths;

    /** @param folders absolute path inside the container to folder; the longest path that fits wins */
    PathMap(Map<String, Path> folders) {
        this.folders = folders.entrySet().stream()
                .collect(Collectors.toMap(
                        entry -> withoutSlash(entry.getKey()), Map.Entry::getValue, (a, b) -> b, TreeMap::new));
        String alternatives = this.folders.keySet().stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(Pattern::quote)
                .collect(Collectors.joining("|"));
        this.paths = Pattern.compile(
                "(?<![^\\s=:,;\"'])(" + (alternatives.isEmpty() ? "(?!)" : alternatives) + ")(?![^/\\s:,;\"'])");
    }

    String translate(String value) {
        return paths.matcher(value)
                .replaceAll(match -> Matcher.quoteReplacement(String.valueOf(folders.get(match.group(1)))));
    }

    private static String withoutSlash(String path) {
        return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
