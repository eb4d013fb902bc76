/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/** What to write instead of what the planner refuses, to be read behind its message. Used by one thread. */
final class Remedies {

    private static final int NAMES_MAX = 40;

    private static final Pattern NOT_THE_SAME_TWICE =
            Pattern.compile("function signature (NOW|PROCTIME|SYSDATE|GETDATE|UUID|GEN_RANDOM_UUID|RANDOM)\\(");

    private static final Pattern OF_JSON = Pattern.compile("function signature (PARSE_JSON|TO_JSON)\\(");

    private static final Pattern COMPARED = Pattern.compile("^Cannot apply '(=|<>|<|>|<=|>=)' to");

    /** What a body reads beside its item is an argument of its own by then, see {@link LiftedColumns}. */
    private static final Pattern OF_LIFTED = Pattern.compile("^(Cannot apply '\\w+' to arguments of type "
            + "'\\w+\\(<(?![^>]* ARRAY>)[^>]*>, ).*<FUNCTION\\(ANY(?:, ANY)+\\)");

    /** Relations by their names as written. */
    private final Supplier<? extends Collection<String>> relations;

    private final Function<String, @Nullable RelDataType> rowType;

    /** What the program creates anywhere. */
    private List<String> created = List.of();

    Remedies(Supplier<? extends Collection<String>> relations, Function<String, @Nullable RelDataType> rowType) {
        this.relations = relations;
        this.rowType = rowType;
    }

    void expect(List<String> names) {
        created = List.copyOf(names);
    }

    /** A message and what to do about it in a query. */
    String behind(String message, SqlNode query) {
        String missing = ofMissing(message, query);
        if (missing != null) {
            return message + missing;
        }
        if (NOT_THE_SAME_TWICE.matcher(message).find()) {
            return message + "; what is not the same twice is put into the input";
        }
        if (OF_JSON.matcher(message).find()) {
            return message + "; JSON is text here, which JSON_VALUE reads and JSON_OBJECT makes";
        }
        if (message.startsWith("No match found for function")) {
            return message + "; docs/functions.md lists the functions, and CREATE FUNCTION adds others";
        }
        boolean ofTimes =
                message.startsWith("Cannot apply '-'") && message.matches(".*<(DATE|TIME|TIMESTAMP).* - <(D|T).*");
        if (ofTimes) {
            return message + "; cast both to TIMESTAMP";
        }
        if (message.startsWith("Cannot apply '+'") && message.matches(".*<DATE> \\+ <(TINY|SMALL|BIG)?INT.*")) {
            return message + "; add an interval, such as INTERVAL '5' DAY";
        }
        if (COMPARED.matcher(message).find()) {
            return message + "; cast one to the type of the other";
        }
        if (message.startsWith("Column count mismatch in ")) {
            return message + "; select as many columns on both sides, NULL for those that one does not have";
        }
        if (message.contains("'$SCALAR_QUERY'")) {
            return "A subquery that stands for one value selects several columns; select one, or join with it";
        }
        if (message.contains("is not a temporal table")) {
            return message + "; write ASOF JOIN … MATCH_CONDITION left.time >= right.time";
        }
        if (message.contains("aggregate expression is illegal in WHERE")) {
            return message + "; write QUALIFY, or select it in a subquery in FROM";
        }
        if (message.equals("Parameters must be of the same type") || message.startsWith("Cast function cannot")) {
            return message + "; cast them to one";
        }
        Matcher lifted = OF_LIFTED.matcher(message);
        if (lifted.find()) {
            return lifted.replaceFirst("$1<FUNCTION(ANY)");
        }
        if (message.startsWith("Values passed to ")) {
            return message + "; select as many columns as stand before IN, and cast those of other types";
        }
        if (message.startsWith("Aggregate expression is illegal in WHERE")) {
            return message + "; select it in a subquery in FROM";
        }
        if (message.endsWith("is not being grouped")) {
            return message + "; group by it, or select ANY_VALUE of it";
        }
        if (message.endsWith("is ambiguous")) {
            return message + "; name its table, as in t.a; under ON also where a join before is USING it";
        }
        return message + (message.contains("'SESSION'") ? "; name its key as DESCRIPTOR(key)" : "");
    }

    /** What to do where the query names something that is not there; null where it is something else. */
    private @Nullable String ofMissing(String message, SqlNode query) {
        if (message.startsWith("Object ") && message.contains(" not found")) {
            Collection<String> known = relations.get();
            String name = message.substring(message.indexOf('\'') + 1, message.lastIndexOf('\''));
            if (created.stream().anyMatch(name::equalsIgnoreCase)) {
                return " yet; create it before, or DECLARE RECURSIVE VIEW " + name
                        + " (column type, …) where it is to read itself";
            }
            return known.isEmpty() ? "" : "; there are " + names(known);
        }
        if (message.matches(
                "Column '(?i:VARCHAR|CHAR|INT|INTEGER|BIGINT|DECIMAL|DOUBLE|DATE|TIMESTAMP)' not found.*")) {
            return "; a type stands behind AS, as in CAST(a AS VARCHAR)";
        }
        if (message.startsWith("Column ") && message.contains(" not found")) {
            return columns(query);
        }
        boolean ofTable = message.startsWith("Table ") && message.endsWith(" not found");
        return ofTable ? "; a table or view is read under FROM, by its name or the one behind AS" : null;
    }

    /** What to write instead of the type of another database; the types that there are where it is not known. */
    static String ofType(String type, String types) {
        return switch (type.toUpperCase(Locale.ROOT)) {
            case "STRING", "TEXT" -> "write VARCHAR";
            case "BYTES", "BYTEA", "BLOB" -> "write VARBINARY";
            case "BOOL" -> "write BOOLEAN";
            case "DATETIME" -> "write TIMESTAMP";
            case "JSON", "JSONB", "VARIANT" -> "write VARCHAR: JSON is text here, which JSON_VALUE reads";
            default -> "types are " + types;
        };
    }

    /** The columns of all that the query reads. */
    private String columns(SqlNode query) {
        Map<String, List<String>> read = new LinkedHashMap<>();
        query.accept(new SqlBasicVisitor<Void>() {
            @Override
            public Void visit(SqlIdentifier name) {
                RelDataType columns = name.isSimple() ? rowType.apply(name.getSimple()) : null;
                if (columns != null) {
                    read.put(name.getSimple(), columns.getFieldNames());
                }
                return super.visit(name);
            }
        });
        return read.entrySet().stream()
                .map(relation -> "; " + relation.getKey() + " has " + names(relation.getValue()))
                .collect(Collectors.joining());
    }

    private static String names(Collection<String> names) {
        return names.stream().limit(NAMES_MAX).collect(Collectors.joining(", "))
                + (names.size() > NAMES_MAX ? ", …" : "");
    }
}
