/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.ViewChange;
import dev.ratchet.client.ViewRow;
import dev.ratchet.client.ViewStep;
import dev.ratchet.futures.model.ViewRowCodec;
import dev.ratchet.protocol.client.v1.FollowViewReply;
import dev.ratchet.protocol.client.v1.WeightedRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts the pieces of one stream together to whole steps. One thread at a time. */
final class StepParts {

    private static final int CHANGES_MAX = 1_000_000;

    private final String view;
    private final List<WeightedRow> rows = new ArrayList<>();
    private List<String> columns = List.of();
    private boolean isSnapshot;
    private long changes;

    StepParts(String view) {
        this.view = view;
    }

    /** The step that is whole with this piece; null while it is not. */
    @Nullable
    ViewStep add(FollowViewReply piece) {
        if (piece.getSnapshot()) {
            begin();
            isSnapshot = true;
        }
        if (piece.getColumnsCount() > 0) {
            columns = List.copyOf(piece.getColumnsList());
        }
        for (WeightedRow row : piece.getRowsList()) {
            rows.add(row);
            changes += Math.abs(row.getWeight());
        }
        if (changes > CHANGES_MAX) {
            throw new InvalidInputException("A step of the view '" + view + "' has more than " + CHANGES_MAX
                    + " changes; follow a view with fewer rows, or this one over HTTP.");
        }
        if (!piece.hasComplete()) {
            return null;
        }
        long step = piece.getComplete().getStep();
        ViewStep whole = new ViewStep(view, step, piece.getComplete().getPosition(), isSnapshot, changes(step));
        begin();
        return whole;
    }

    private void begin() {
        rows.clear();
        isSnapshot = false;
        changes = 0;
    }

    private List<ViewChange> changes(long step) {
        List<ViewChange> all = new ArrayList<>((int) changes);
        for (WeightedRow row : rows) {
            ViewRow values = ViewRowCodec.decode(columns, row.getValues());
            int weight = row.getWeight() < 0 ? -1 : 1;
            for (int ordinal = 0; ordinal < Math.abs(row.getWeight()); ordinal++) {
                all.add(new ViewChange(view, step, values, ordinal, weight));
            }
        }
        return all;
    }
}
