/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.nexmark;

import static dev.ratchet.circuits.nexmark.NexmarkTable.Kind.NUMBER;
import static dev.ratchet.circuits.nexmark.NexmarkTable.Kind.TEXT;
import static dev.ratchet.circuits.nexmark.NexmarkTable.Kind.TIME;

import java.util.List;
import java.util.Locale;

/** The three tables in the order of their codes, and their columns as published. Every column is NOT NULL. */
@SuppressWarnings("ImmutableEnumChecker") // List.of can not be changed, and nobody writes the array
public enum NexmarkTable {
    PERSON(
            0,
            new Column("id", NUMBER),
            new Column("name", TEXT),
            new Column("emailAddress", TEXT),
            new Column("creditCard", TEXT),
            new Column("city", TEXT),
            new Column("state", TEXT),
            new Column("date_time", TIME),
            new Column("extra", TEXT)),
    AUCTION(
            1,
            new Column("id", NUMBER),
            new Column("itemName", TEXT),
            new Column("description", TEXT),
            new Column("initialBid", NUMBER),
            new Column("reserve", NUMBER),
            new Column("date_time", TIME),
            new Column("expires", TIME),
            new Column("seller", NUMBER),
            new Column("category", NUMBER),
            new Column("extra", TEXT)),
    BID(
            2,
            new Column("auction", NUMBER),
            new Column("bidder", NUMBER),
            new Column("price", NUMBER),
            new Column("channel", TEXT),
            new Column("url", TEXT),
            new Column("date_time", TIME),
            new Column("extra", TEXT));

    /** What a column holds: BIGINT, VARCHAR, or a TIMESTAMP as milliseconds since 1970. */
    public enum Kind {
        NUMBER,
        TEXT,
        TIME
    }

    /** A column under its published name. */
    public record Column(String name, Kind kind) {}

    private final int code;
    private final List<Column> columns;
    private final boolean[] isText;

    NexmarkTable(int code, Column... columns) {
        this.code = code;
        this.columns = List.of(columns);
        this.isText = new boolean[columns.length];
        for (int i = 0; i < columns.length; i++) {
            isText[i] = columns[i].kind() == Kind.TEXT;
        }
    }

    /** Which columns hold texts; not to be written. */
    public boolean[] isText() {
        return isText;
    }

    public List<Column> columns() {
        return columns;
    }

    /** What stands for the table in files, from 0. */
    public int code() {
        return code;
    }

    /** The name in programs. */
    public String title() {
        return name().toLowerCase(Locale.ROOT);
    }
}
