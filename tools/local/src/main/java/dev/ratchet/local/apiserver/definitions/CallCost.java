/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.definitions;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The highest cost of one call: what it does for each element of its arguments, and what these cost themselves. */
final class CallCost {
    /** Cost of going over one character. */
    private static final double CHARACTER = 0.1;
    /** Cost of one character of a regular expression, for each character that it is matched with. */
    private static final double REGEX_CHARACTER = 0.25;

    /** @param result size of what the call gives; null if that is not known */
    record Estimate(long cost, @Nullable SizeRange result) {}

    private final ExpressionCost sizes;
    private final CelCall call;
    private final List<Long> argumentCosts;

    CallCost(ExpressionCost sizes, CelCall call, List<Long> argumentCosts) {
        this.sizes = sizes;
        this.call = call;
        this.argumentCosts = argumentCosts;
    }

    Estimate of(String overload) {
        Estimate own = textFunction().orElseGet(() -> standard(overload));
        long cost = own.cost();
        for (long argument : overload.equals("conditional") ? List.<Long>of() : argumentCosts) {
            cost = SizeRange.sum(cost, argument);
        }
        return new Estimate(cost, own.result());
    }

    /** Functions of the library of texts. */
    private Optional<Estimate> textFunction() {
        CelExpr target = call.target().orElse(null);
        if (target == null) {
            return Optional.empty();
        }
        SizeRange size = sizes.known(target);
        return switch (call.function()) {
            case "lowerAscii", "upperAscii", "substring", "trim" ->
                Optional.of(new Estimate(size.cost(CHARACTER), size));
            case "indexOf", "lastIndexOf" -> Optional.of(new Estimate(search(target, size), null));
            case "replace" -> Optional.of(new Estimate(size.cost(2 * CHARACTER), replaced(size)));
            case "split" -> Optional.of(new Estimate(size.cost(2 * CHARACTER), new SizeRange(0, pieces(size))));
            case "join" -> {
                SizeRange joined = joined(target, size);
                yield Optional.of(new Estimate(joined.cost(CHARACTER), joined));
            }
            default -> Optional.empty();
        };
    }

    private long search(CelExpr target, SizeRange size) {
        SizeRange items = sizes.itemSize(target);
        if (items == null) {
            return size.cost(CHARACTER);
        }
        long each = sizes.holdsTexts(target) ? SizeRange.sum(1, items.cost(CHARACTER)) : 1;
        return SizeRange.product(size.max(), each);
    }

    private SizeRange replaced(SizeRange size) {
        SizeRange old = sizes.known(call.args().get(0));
        SizeRange fresh = sizes.known(call.args().get(1));
        if (old.min() == 0) {
            long most = SizeRange.product(SizeRange.sum(size.max(), 1), fresh.max());
            return new SizeRange(0, SizeRange.sum(most, size.max()));
        }
        if (fresh.max() <= old.min()) {
            return new SizeRange(0, size.max());
        }
        return new SizeRange(0, SizeRange.product(SizeRange.scaled(size.max(), 1.0 / old.min()), fresh.max()));
    }

    private long pieces(SizeRange size) {
        return call.args().size() > 1 && call.args().get(1).getKind() == CelExpr.ExprKind.Kind.CONSTANT
                ? call.args().get(1).constant().int64Value()
                : size.max();
    }

    private SizeRange joined(CelExpr target, SizeRange size) {
        SizeRange items = sizes.itemSize(target);
        SizeRange joined = items == null ? SizeRange.of(0) : size.times(items);
        if (call.args().isEmpty()) {
            return joined;
        }
        SizeRange separators = new SizeRange(Math.max(0, size.min() - 1), Math.max(0, size.max() - 1));
        return joined.plus(sizes.known(call.args().getFirst()).times(separators));
    }

    private Estimate standard(String overload) {
        return switch (overload) {
            case "string_to_bytes" ->
                new Estimate(
                        size(0).cost(CHARACTER), new SizeRange(size(0).min(), SizeRange.product(size(0).max(), 4)));
            case "bytes_to_string" ->
                new Estimate(size(0).cost(CHARACTER), new SizeRange(size(0).min() / 4, size(0).max()));
            case "starts_with_string", "ends_with_string" -> new Estimate(size(0).cost(CHARACTER), null);
            case "in_list" -> new Estimate(size(1).cost(1), null);
            case "matches_string" -> new Estimate(match(sizes.known(target()), size(0)), null);
            case "matches" -> new Estimate(match(size(0), size(1)), null);
            case "contains_string" ->
                new Estimate(SizeRange.product(sizes.known(target()).cost(CHARACTER), size(0).cost(CHARACTER)), null);
            case "logical_or", "logical_and" -> new Estimate(0, null);
            case "conditional" ->
                new Estimate(
                        SizeRange.sum(argumentCosts.get(0), Math.max(argumentCosts.get(1), argumentCosts.get(2))),
                        size(1).union(size(2)));
            case "add_list" -> new Estimate(1, size(0).plus(size(1)));
            case "add_string", "add_bytes" -> {
                SizeRange sum = size(0).plus(size(1));
                yield new Estimate(sum.cost(CHARACTER), sum);
            }
            case "less_string",
                    "greater_string",
                    "less_equals_string",
                    "greater_equals_string",
                    "less_bytes",
                    "greater_bytes",
                    "less_equals_bytes",
                    "greater_equals_bytes",
                    "equals",
                    "not_equals" ->
                new Estimate(SizeRange.scaled(Math.min(size(0).max(), size(1).max()), CHARACTER), null);
            default -> new Estimate(1, null);
        };
    }

    private static long match(SizeRange text, SizeRange regex) {
        return SizeRange.product(text.plus(SizeRange.of(1)).cost(CHARACTER), regex.cost(REGEX_CHARACTER));
    }

    private CelExpr target() {
        return call.target().orElseThrow();
    }

    private SizeRange size(int argument) {
        return sizes.known(call.args().get(argument));
    }
}
