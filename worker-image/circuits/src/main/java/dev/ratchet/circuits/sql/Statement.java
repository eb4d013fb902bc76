/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One statement of a program, its types and queries still text: each a {@link Span} of the program. */
sealed interface Statement {

    /** A part of the program's text. */
    record Span(int start, int end) {}

    /** A name as written, and where. */
    record Name(String text, int offset) {}

    Name name();

    /**
     * A column of a table.
     *
     * @param lateness an interval expression: rows older than the newest value less this are dropped
     */
    record Column(
            Name name, Span type, boolean notNull, @Nullable Span lateness) {}

    /** A name and a type: a parameter of a function. */
    record TypedName(Name name, Span type) {}

    /**
     * CREATE TABLE.
     *
     * @param key names of the primary key's columns, empty where there is none
     */
    record CreateTable(Name name, List<Column> columns, List<Name> key, Map<String, String> options)
            implements Statement {}

    /** How a view is kept. */
    enum ViewKind {
        /** Its changes are output. */
        OUTPUT,
        /** Only other views read it. */
        LOCAL,
        /** Output, and its content can be read at any time. */
        MATERIALIZED
    }

    /**
     * CREATE VIEW.
     *
     * @param columns new names of the query's columns, empty where they keep theirs
     * @param key what the option of that name says: columns with commas between; null where it is not there
     */
    record CreateView(
            Name name,
            ViewKind kind,
            List<Name> columns,
            @Nullable Name key,
            Span query) implements Statement {}

    /** A column of a recursive view. */
    record DeclaredColumn(Name name, Span type, boolean notNull) {}

    /** DECLARE RECURSIVE VIEW: the columns of a view that queries may read before it is created. */
    record DeclareView(Name name, List<DeclaredColumn> columns) implements Statement {}

    /**
     * CREATE FUNCTION.
     *
     * @param method class and static method, with a point between
     */
    record CreateFunction(Name name, List<TypedName> parameters, Span result, String method) implements Statement {}

    /** EXPLAIN: how a query would be computed, without being kept up to date. */
    record Explain(Name name, Span query) implements Statement {}
}
