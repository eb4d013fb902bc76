/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a command shows: fields of its own and lists of items. The same for people, as tables, and for programs; whoever
 * makes it names the fields, and they stay.
 */
public final class View {

    private final ObjectNode fields = JsonNodeFactory.instance.objectNode();
    private final List<Section> sections = new ArrayList<>();
    private final @Nullable Consumer<PrintWriter> text;
    private @Nullable String heading;
    private @Nullable String ending;
    private @Nullable String note;

    public View() {
        this(null);
    }

    private View(@Nullable Consumer<PrintWriter> text) {
        this.text = text;
    }

    /**
     * A single item: as it is in JSON, told in full to people.
     *
     * @param section which has the item alone
     * @param text prints it for people
     */
    public static View ofOne(Section section, Consumer<PrintWriter> text) {
        View view = new View(text).section(section);
        view.fields.setAll(section.items().getFirst());
        return view;
    }

    /** Fields of the whole, before the lists. */
    public ObjectNode fields() {
        return fields;
    }

    public View heading(String line) {
        heading = line;
        return this;
    }

    public View section(Section section) {
        sections.add(section);
        return this;
    }

    /** A last line for people, on standard output. */
    public View ending(String line) {
        ending = line;
        return this;
    }

    /** What is to be said beside the answer, such as that it is empty: on standard error. */
    public View note(String line) {
        note = line;
        return this;
    }

    /** Prints it as a whole. */
    public void print(Format format, PrintWriter out) {
        if (format == Format.text) {
            print(out);
        } else {
            out.println(format.document(json()));
        }
        out.flush();
    }

    List<Section> sections() {
        return sections;
    }

    @Nullable
    String heading() {
        return heading;
    }

    @Nullable
    String note() {
        return note;
    }

    ObjectNode json() {
        ObjectNode all = fields.deepCopy();
        if (text != null) {
            return all;
        }
        sections.forEach(section -> all.putArray(section.plural()).addAll(section.items()));
        return all;
    }

    void print(PrintWriter out) {
        if (text != null) {
            text.accept(out);
            return;
        }
        if (heading != null) {
            out.println(heading);
        }
        boolean isFirst = true;
        for (Section section : sections) {
            if (!isFirst) {
                out.println();
            }
            isFirst = false;
            TextTable table = new TextTable(section.titles());
            section.items().forEach(item -> table.row(section.cells(item).toArray()));
            table.print(out);
        }
        if (ending != null) {
            out.println(ending);
        }
    }
}
