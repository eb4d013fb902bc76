/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ShownSql;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Stages one after the other, for people to read: columns that are taken several times in a row are said once, and what
 * changes nothing is left out, since the translation of a query makes much of both.
 */
final class StageText {

    private static final String SELECT = "SELECT ";
    private static final Pattern COLUMNS_TAKEN = Pattern.compile("SELECT #\\d+(, #\\d+)*");
    private static final Pattern COLUMN = Pattern.compile("#(\\d+)");

    private StageText() {}

    static String of(List<PipeStage> stages) {
        List<String> texts = new ArrayList<>();
        int width = 0;
        for (PipeStage stage : stages) {
            String text = stage.text();
            boolean isSame = text.equals(
                    SELECT + ShownSql.columns(IntStream.range(0, width).boxed().toList()));
            if (!isSame && !text.equals("WHERE TRUE")) {
                add(text, texts);
            }
            width = switch (stage) {
                case PipeStage.Map map -> map.columns().size();
                case PipeStage.Expand expand -> expand.columns().size();
                case PipeStage.Project project -> project.columns().size();
                case PipeStage.Filter filter -> width;
                case PipeStage.Weigh weigh -> width;
            };
        }
        return String.join("; ", texts);
    }

    private static void add(String text, List<String> texts) {
        boolean takesAgain = !texts.isEmpty()
                && COLUMNS_TAKEN.matcher(text).matches()
                && COLUMNS_TAKEN.matcher(texts.getLast()).matches();
        if (takesAgain) {
            List<String> taken = COLUMN.matcher(texts.removeLast())
                    .results()
                    .map(MatchResult::group)
                    .toList();
            texts.add(COLUMN.matcher(text).replaceAll(column -> taken.get(Integer.parseInt(column.group(1)))));
        } else {
            texts.add(text);
        }
    }
}
