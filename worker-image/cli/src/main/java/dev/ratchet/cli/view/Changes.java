/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Prints what has changed since the view before: {@code ADDED}, {@code MODIFIED} and {@code DELETED}, the words of
 * Kubernetes' watches, with the item as it is, or was last.
 */
final class Changes {

    private final Format format;
    private final Map<String, ObjectNode> known = new HashMap<>();
    private final Map<String, TextTable> tables = new HashMap<>();
    private String lastTable = "";
    private boolean begun;

    Changes(Format format) {
        this.format = format;
    }

    void print(View view, PrintWriter out) {
        String heading = view.heading();
        if (!begun && format == Format.text && heading != null) {
            out.println(heading);
        }
        begun = true;
        view.sections().forEach(section -> print(section, out));
    }

    private void print(Section section, PrintWriter out) {
        Set<String> there = new HashSet<>();
        for (ObjectNode item : section.items()) {
            String key = section.keyOf(item);
            there.add(key);
            ObjectNode before = known.put(key, item);
            if (before == null) {
                tell("ADDED", section, item, out);
            } else if (!before.equals(item)) {
                tell("MODIFIED", section, item, out);
            }
        }
        List<Map.Entry<String, ObjectNode>> gone = known.entrySet().stream()
                .filter(one -> one.getKey().startsWith(section.singular() + "/") && !there.contains(one.getKey()))
                .sorted(Map.Entry.comparingByKey())
                .toList();
        for (Map.Entry<String, ObjectNode> one : gone) {
            tell("DELETED", section, one.getValue(), out);
            known.remove(one.getKey());
        }
        TextTable table = tables.get(section.singular());
        if (table != null) {
            table.print(out);
        }
    }

    private void tell(String event, Section section, ObjectNode item, PrintWriter out) {
        if (format != Format.text) {
            ObjectNode change = JsonNodeFactory.instance.objectNode().put("event", event);
            out.println(format.element(change.set(section.singular(), item)));
            return;
        }
        List<Object> cells = new ArrayList<>(List.of(event));
        cells.addAll(section.cells(item));
        table(section).row(cells.toArray());
    }

    /** Titles are printed again where rows of another kind were printed since. */
    private TextTable table(Section section) {
        TextTable table = tables.get(section.singular());
        if (table == null || !lastTable.equals(section.singular())) {
            List<String> titles = new ArrayList<>(List.of("EVENT"));
            titles.addAll(section.titles());
            table = new TextTable(titles);
            tables.put(section.singular(), table);
            lastTable = section.singular();
        }
        return table;
    }
}
