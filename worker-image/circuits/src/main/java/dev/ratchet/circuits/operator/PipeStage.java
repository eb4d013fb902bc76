/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ShownSql;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One linear step from rows to rows; several are run as one operator, row by row, without a batch in between. */
public sealed interface PipeStage {

    /** Leaves out rows. */
    record Filter(RowFilter filter) implements PipeStage {}

    /** Makes one row of one. */
    record Map(List<ColumnType> columns, RowMapper mapper) implements PipeStage {}

    /** Makes any number of rows of one. */
    record Expand(List<ColumnType> columns, RowExpander expander) implements PipeStage {}

    /** Takes columns by number, in any order. */
    record Project(List<Integer> columns) implements PipeStage {}

    /** Multiplies weights. */
    record Weigh(long factor) implements PipeStage {}

    /** Whether it fails on no row whatever; weights may grow too large in any case. */
    default boolean isTotal() {
        return switch (this) {
            case Filter stage -> stage.filter().isTotal();
            case Map stage -> stage.mapper().isTotal();
            case Expand stage -> false;
            case Project stage -> true;
            case Weigh stage -> true;
        };
    }

    /** Where columns are after the stage; null where one of them is not there any more. */
    default @Nullable List<Integer> follow(List<Integer> columns) {
        return switch (this) {
            case Filter stage -> columns;
            case Weigh stage -> columns;
            case Expand stage -> null;
            case Project stage -> places(columns, stage.columns());
            case Map stage -> {
                int[] copied = stage.mapper().columnsCopied();
                yield copied == null
                        ? null
                        : places(columns, Arrays.stream(copied).boxed().toList());
            }
        };
    }

    private static @Nullable List<Integer> places(List<Integer> columns, List<Integer> taken) {
        List<Integer> places = columns.stream().map(taken::indexOf).toList();
        return places.contains(-1) ? null : places;
    }

    /** For ids. */
    default String description() {
        return switch (this) {
            case Filter stage -> "filter " + stage.filter().description();
            case Map stage -> "map " + stage.mapper().description();
            case Expand stage -> "expand " + stage.expander().description();
            case Project stage -> "project " + Arrays.toString(stage.columns().toArray());
            case Weigh stage -> "weigh " + stage.factor();
        };
    }

    /** For people, as SQL. */
    default String text() {
        return switch (this) {
            case Filter stage -> "WHERE " + named(stage.filter().text());
            case Map stage -> "SELECT " + named(stage.mapper().text());
            case Expand stage -> named(stage.expander().text());
            case Project stage ->
                "SELECT " + (stage.columns().isEmpty() ? "no columns" : ShownSql.columns(stage.columns()));
            case Weigh stage -> "weights times " + stage.factor();
        };
    }

    private static String named(String function) {
        return function.isEmpty() ? "a function without a description" : function;
    }
}
