/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.view;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Lines in columns, as wide as they need; rows that are added after the first ones were printed get columns that are no
 * narrower. Whatever a cell holds, it is one line and moves nothing else.
 */
public final class TextTable {

    private final List<List<String>> rows = new ArrayList<>();
    private final int[] widths;

    TextTable(List<String> titles) {
        widths = new int[titles.size()];
        row(titles.toArray());
    }

    public void row(Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(TerminalText.line(String.valueOf(cell)));
        }
        rows.add(row);
    }

    /** Prints the rows that were added since this was called last. */
    public void print(PrintWriter out) {
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i));
                line.append(" ".repeat(widths[i] - row.get(i).length() + 2));
            }
            out.println(line.toString().stripTrailing());
        }
        rows.clear();
    }
}
