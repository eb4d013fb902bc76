/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.sql.SqlText.Kind;
import dev.ratchet.circuits.sql.SqlText.Token;
import dev.ratchet.circuits.sql.Statement.Column;
import dev.ratchet.circuits.sql.Statement.DeclaredColumn;
import dev.ratchet.circuits.sql.Statement.Name;
import dev.ratchet.circuits.sql.Statement.Span;
import dev.ratchet.circuits.sql.Statement.TypedName;
import dev.ratchet.circuits.sql.Statement.ViewKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Splits a program into statements and reads what is not a query or a type; those stay spans of text for Calcite's
 * parser. One use by one thread.
 */
final class StatementReader {

    /** The option of views whose changes are put out by some columns. */
    private static final String VIEW_KEY = "key";

    private final SqlText text;
    private final List<Token> tokens;
    private int at;

    private StatementReader(SqlText text) {
        this.text = text;
        this.tokens = text.tokens();
    }

    static List<Statement> read(SqlText text) {
        StatementReader reader = new StatementReader(text);
        List<Statement> statements = new ArrayList<>();
        while (true) {
            while (reader.peek().isSymbol(";")) {
                reader.at++;
            }
            if (reader.peek().kind() == Kind.END) {
                return statements;
            }
            statements.add(reader.statement());
            if (reader.peek().kind() != Kind.END) {
                reader.symbol(";");
            }
        }
    }

    private Statement statement() {
        if (acceptWord("DECLARE")) {
            word("RECURSIVE");
            word("VIEW");
            return declareView();
        }
        Token first = peek();
        if (acceptWord("EXPLAIN")) {
            if (acceptWord("PLAN")) {
                word("FOR");
            }
            return new Statement.Explain(new Name("EXPLAIN", first.start()), query());
        }
        if (!acceptWord("CREATE")) {
            throw unexpected("CREATE TABLE, CREATE VIEW, CREATE FUNCTION, DECLARE RECURSIVE VIEW or EXPLAIN"
                    + (first.isWord("SELECT") || first.isWord("WITH") ? "; put queries into views" : "")
                    + (first.isWord("INSERT") || first.isWord("UPDATE") || first.isWord("DELETE")
                            ? "; rows come with the input, not with the program"
                            : "")
                    + (first.isWord("DROP") || first.isWord("ALTER")
                            ? "; a program says all that there is, so change the statement that creates it"
                            : ""));
        }
        if (peek().isWord("OR")) {
            throw unexpected("TABLE, VIEW or FUNCTION; everything is created once, leave OR REPLACE out");
        }
        if (acceptWord("TABLE")) {
            return createTable();
        }
        if (acceptWord("FUNCTION")) {
            return createFunction();
        }
        ViewKind kind = acceptWord("LOCAL")
                ? ViewKind.LOCAL
                : acceptWord("MATERIALIZED") ? ViewKind.MATERIALIZED : ViewKind.OUTPUT;
        if (kind == ViewKind.OUTPUT && !peek().isWord("VIEW")) {
            throw unexpected("TABLE, VIEW, LOCAL VIEW, MATERIALIZED VIEW or FUNCTION");
        }
        word("VIEW");
        return createView(kind);
    }

    private Statement createTable() {
        Name name = name("a table's name");
        List<Column> columns = new ArrayList<>();
        List<Name> key = new ArrayList<>();
        symbol("(");
        do {
            if (peek().isWord("PRIMARY")) {
                int offset = next().start();
                word("KEY");
                if (!key.isEmpty()) {
                    throw text.error(offset, "A second primary key; a table has at most one");
                }
                key.addAll(names("a column of the key"));
                if (peek().isWord("NOT")) {
                    throw unexpected("')'; a key is always enforced, leave NOT ENFORCED out");
                }
            } else if (peek().isWord("WATERMARK") && tokens.get(at + 1).isWord("FOR")) {
                throw unexpected("a column; a watermark is said behind its column, as in ts TIMESTAMP LATENESS"
                        + " INTERVAL '5' SECOND");
            } else if (isConstraint()) {
                throw unexpected("a column; the only constraints are PRIMARY KEY and NOT NULL, leave others out");
            } else {
                columns.add(column(key));
            }
        } while (acceptSymbol(","));
        symbol(")");
        Map<String, String> options = acceptWord("WITH") ? options() : Map.of();
        return new Statement.CreateTable(name, columns, key, options);
    }

    /** Whether a constraint begins; its words may also be names of columns. */
    private boolean isConstraint() {
        Token first = peek();
        Token second = tokens.get(at + 1);
        return (first.isWord("FOREIGN") && second.isWord("KEY"))
                || ((first.isWord("UNIQUE") || first.isWord("CHECK")) && second.isSymbol("("))
                || (first.isWord("CONSTRAINT") && isOneOf(tokens.get(at + 2), "PRIMARY", "FOREIGN", "UNIQUE", "CHECK"));
    }

    private Column column(List<Name> key) {
        Name name = name("a column's name");
        Span type = type("NOT", "NULL", "PRIMARY", "LATENESS", "DEFAULT", "REFERENCES", "UNIQUE", "CHECK");
        boolean notNull = false;
        Span lateness = null;
        while (true) {
            if (acceptWord("NOT")) {
                word("NULL");
                notNull = true;
            } else if (acceptWord("PRIMARY")) {
                word("KEY");
                if (!key.isEmpty()) {
                    throw text.error(
                            name.offset(), "A second primary key; write PRIMARY KEY (a, b) behind the columns");
                }
                key.add(name);
                notNull = true;
            } else if (acceptWord("LATENESS")) {
                lateness = type("NOT", "NULL", "PRIMARY");
            } else if (!acceptWord("NULL")) {
                break;
            }
        }
        if (!peek().isSymbol(",") && !peek().isSymbol(")")) {
            throw unexpected("NOT NULL, PRIMARY KEY, LATENESS or the next column; other constraints are not kept");
        }
        return new Column(name, type, notNull, lateness);
    }

    private Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>();
        symbol("(");
        do {
            String option = expect(Kind.STRING, "an option's name as a string").value();
            symbol("=");
            options.put(
                    option.toLowerCase(Locale.ROOT),
                    expect(Kind.STRING, "the option's value as a string").value());
        } while (acceptSymbol(","));
        symbol(")");
        return options;
    }

    private Statement createView(ViewKind kind) {
        Name name = name("a view's name");
        List<Name> columns = peek().isSymbol("(") ? names("a column's name") : List.of();
        Name key = acceptWord("WITH") ? viewKey() : null;
        word("AS");
        return new Statement.CreateView(name, kind, columns, key, query());
    }

    /** The value of the one option that views have. */
    private Name viewKey() {
        symbol("(");
        Token option = expect(Kind.STRING, "an option's name as a string");
        if (!option.value().equalsIgnoreCase(VIEW_KEY)) {
            throw text.error(
                    option.start(),
                    "A view has no option '" + option.value() + "'; it has '" + VIEW_KEY
                            + "', the columns by which its changes are put out, as in WITH ('" + VIEW_KEY
                            + "' = 'a, b')");
        }
        symbol("=");
        Token value = expect(Kind.STRING, "the columns of the key as a string, with commas between");
        symbol(")");
        return new Name(value.value(), value.start());
    }

    /** All up to the end of the statement. */
    private Span query() {
        int start = peek().start();
        int end = start;
        while (!peek().isSymbol(";") && peek().kind() != Kind.END) {
            end = next().end();
        }
        if (end == start) {
            throw unexpected("a query");
        }
        return new Span(start, end);
    }

    private Statement declareView() {
        Name name = name("a view's name");
        List<DeclaredColumn> columns = new ArrayList<>();
        symbol("(");
        do {
            Name column = name("a column's name");
            Span type = type("NOT", "NULL");
            boolean notNull = acceptWord("NOT");
            if (notNull) {
                word("NULL");
            } else {
                acceptWord("NULL");
            }
            columns.add(new DeclaredColumn(column, type, notNull));
        } while (acceptSymbol(","));
        symbol(")");
        return new Statement.DeclareView(name, columns);
    }

    private Statement createFunction() {
        Name name = name("a function's name");
        List<TypedName> parameters = typedNames();
        word("RETURNS");
        Span result = type("AS", "LANGUAGE");
        if (acceptWord("LANGUAGE")) {
            word("JAVA");
        }
        word("AS");
        String method =
                expect(Kind.STRING, "'package.Class.method' as a string").value();
        return new Statement.CreateFunction(name, parameters, result, method);
    }

    private List<TypedName> typedNames() {
        List<TypedName> columns = new ArrayList<>();
        symbol("(");
        if (acceptSymbol(")")) {
            return columns;
        }
        do {
            columns.add(new TypedName(name("a name"), type()));
        } while (acceptSymbol(","));
        symbol(")");
        return columns;
    }

    /** A type or an expression: all up to a comma, a closing parenthesis, the end or one of the words. */
    private Span type(String... endWords) {
        int start = peek().start();
        int end = start;
        int depth = 0;
        while (true) {
            Token token = peek();
            boolean isOutside = token.isSymbol(",") || token.isSymbol(")") || isOneOf(token, endWords);
            if (token.kind() == Kind.END || token.isSymbol(";") || (depth == 0 && isOutside)) {
                break;
            }
            if (token.isSymbol("(") || token.isSymbol("<")) {
                depth++;
            } else if (token.isSymbol(")") || token.isSymbol(">")) {
                depth--;
            }
            end = next().end();
        }
        if (end == start) {
            throw unexpected("a type");
        }
        return new Span(start, end);
    }

    private static boolean isOneOf(Token token, String... words) {
        for (String word : words) {
            if (token.isWord(word)) {
                return true;
            }
        }
        return false;
    }

    private List<Name> names(String what) {
        List<Name> names = new ArrayList<>();
        symbol("(");
        do {
            names.add(name(what));
        } while (acceptSymbol(","));
        symbol(")");
        return names;
    }

    private Name name(String what) {
        Token token = peek();
        if (token.isWord("IF") && tokens.get(at + 1).isWord("NOT")) {
            throw unexpected(what + "; everything is created once, leave IF NOT EXISTS out");
        }
        if (token.kind() != Kind.WORD && token.kind() != Kind.QUOTED_NAME) {
            throw unexpected(what);
        }
        at++;
        return new Name(token.value(), token.start());
    }

    private Token expect(Kind kind, String what) {
        if (peek().kind() != kind) {
            throw unexpected(what);
        }
        return next();
    }

    private void word(String word) {
        if (!acceptWord(word)) {
            throw unexpected(word);
        }
    }

    private void symbol(String symbol) {
        if (!acceptSymbol(symbol)) {
            throw unexpected("'" + symbol + "'");
        }
    }

    private boolean acceptWord(String word) {
        boolean is = peek().isWord(word);
        at += is ? 1 : 0;
        return is;
    }

    private boolean acceptSymbol(String symbol) {
        boolean is = peek().isSymbol(symbol);
        at += is ? 1 : 0;
        return is;
    }

    private Token peek() {
        return tokens.get(at);
    }

    private Token next() {
        return tokens.get(at++);
    }

    private SqlException unexpected(String expected) {
        Token token = peek();
        String found = token.kind() == Kind.END
                ? token.value()
                : "'" + text.text().substring(token.start(), token.end()) + "'";
        return text.error(token.start(), "Found " + found + ", expected " + expected);
    }
}
