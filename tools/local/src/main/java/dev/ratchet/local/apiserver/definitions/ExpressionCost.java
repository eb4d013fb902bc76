/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.definitions;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The highest cost of evaluating an expression that was checked, as CEL's cost model of Kubernetes estimates it. The
 * size of a value is known where a path of names leads to it from {@code self}, or where the expression says it; what
 * else has a size counts as unbounded. One instance is for one expression and one thread.
 */
final class ExpressionCost {
    private static final long LIST_COST = 10;
    private static final long MAP_COST = 30;
    private static final long STRUCT_COST = 40;
    private static final String ITEMS = "@items";
    private static final String VALUES = "@values";
    private static final String KEYS = "@keys";
    private static final Set<String> ACCUMULATORS = Set.of("__result__", "@result");
    private static final Set<CelKind> SCALARS =
            Set.of(CelKind.BOOL, CelKind.DOUBLE, CelKind.DURATION, CelKind.INT, CelKind.TIMESTAMP, CelKind.UINT);

    /** Sizes of the keys and of the values of a list or map. */
    private record Entries(boolean list, SizeRange key, SizeRange value) {}

    private record Local(
            List<String> path,
            @Nullable SizeRange size,
            @Nullable Entries entries) {}

    private final CelAbstractSyntaxTree tree;
    private final DeclaredType self;
    private final Map<Long, List<String>> paths = new HashMap<>();
    private final Map<Long, SizeRange> sizes = new HashMap<>();
    private final Map<Long, Entries> entries = new HashMap<>();
    private final Map<String, Deque<Local>> locals = new HashMap<>();

    private ExpressionCost(CelAbstractSyntaxTree tree, DeclaredType self) {
        this.tree = tree;
        this.self = self;
    }

    static long of(CelAbstractSyntaxTree tree, DeclaredType self) {
        return new ExpressionCost(tree, self).cost(tree.getExpr());
    }

    private long cost(CelExpr expression) {
        return switch (expression.getKind()) {
            case IDENT -> identifier(expression);
            case SELECT -> select(expression);
            case CALL -> call(expression);
            case LIST -> list(expression);
            case MAP -> map(expression);
            case STRUCT -> struct(expression);
            case COMPREHENSION ->
                isBinding(expression.comprehension()) ? binding(expression) : comprehension(expression);
            default -> 0;
        };
    }

    private long identifier(CelExpr expression) {
        Local local = local(expression.ident().name());
        paths.put(expression.id(), local == null ? List.of(expression.ident().name()) : local.path());
        return 1;
    }

    private long select(CelExpr expression) {
        CelExpr operand = expression.select().operand();
        long cost = cost(operand);
        if (expression.select().testOnly()) {
            return cost;
        }
        CelKind kind = kind(operand);
        if (kind == CelKind.MAP || kind == CelKind.STRUCT || kind == CelKind.TYPE_PARAM) {
            cost = SizeRange.sum(cost, 1);
        }
        paths.put(expression.id(), append(path(operand), expression.select().field()));
        return cost;
    }

    private long call(CelExpr expression) {
        CelCall call = expression.call();
        if (call.function().equals("dyn")) {
            CelExpr argument = call.args().getFirst();
            long cost = SizeRange.sum(1, cost(argument));
            copySizes(expression, argument);
            return cost;
        }
        List<Long> argumentCosts = call.args().stream().map(this::cost).toList();
        List<String> overloads = tree.getReference(expression.id())
                .map(found -> List.copyOf(found.overloadIds()))
                .orElse(List.of());
        if (overloads.isEmpty()) {
            return 0;
        }
        long cost = call.target().map(this::cost).orElse(0L);
        long function = 0;
        SizeRange result = null;
        for (String overload : overloads) {
            CallCost.Estimate estimate = new CallCost(this, call, argumentCosts).of(overload);
            function = Math.max(function, estimate.cost());
            SizeRange size = estimate.result();
            if (size != null) {
                result = result == null ? size : result.union(size);
            }
            if (overload.equals("index_list") || overload.equals("index_map")) {
                CelExpr container = call.args().getFirst();
                Entries inside = entriesOf(container);
                result = inside == null ? null : inside.value();
                paths.put(expression.id(), append(path(container), overload.equals("index_list") ? ITEMS : VALUES));
            }
            result = result == null ? size(expression) : result;
        }
        passEntries(expression, overloads);
        put(sizes, expression, result);
        return SizeRange.sum(cost, function);
    }

    /** What a choice or a concatenation holds is what either side holds. */
    private void passEntries(CelExpr expression, List<String> overloads) {
        List<CelExpr> arguments = expression.call().args();
        Entries left = null;
        Entries right = null;
        if (overloads.contains("conditional")) {
            left = entriesOf(arguments.get(1));
            right = entriesOf(arguments.get(2));
        } else if (overloads.contains("add_list")) {
            left = entriesOf(arguments.get(0));
            right = entriesOf(arguments.get(1));
        }
        if (left != null && right != null) {
            put(
                    entries,
                    expression,
                    new Entries(
                            left.list(),
                            left.key().union(right.key()),
                            left.value().union(right.value())));
        }
    }

    private long list(CelExpr expression) {
        long cost = LIST_COST;
        SizeRange items = SizeRange.of(0);
        boolean first = true;
        for (CelExpr item : expression.list().elements()) {
            cost = SizeRange.sum(cost, cost(item));
            items = first ? known(item) : items.union(known(item));
            first = false;
        }
        put(entries, expression, new Entries(true, SizeRange.of(1), items));
        return cost;
    }

    private long map(CelExpr expression) {
        long cost = MAP_COST;
        SizeRange keys = SizeRange.of(0);
        SizeRange values = SizeRange.of(0);
        for (CelExpr.CelMap.Entry entry : expression.map().entries()) {
            cost = SizeRange.sum(cost, SizeRange.sum(cost(entry.key()), cost(entry.value())));
            keys = keys.union(known(entry.key()));
            values = values.union(known(entry.value()));
        }
        put(entries, expression, new Entries(false, keys, values));
        return cost;
    }

    private long struct(CelExpr expression) {
        long cost = STRUCT_COST;
        for (CelExpr.CelStruct.Entry entry : expression.struct().entries()) {
            cost = SizeRange.sum(cost, cost(entry.value()));
        }
        return cost;
    }

    private long comprehension(CelExpr expression) {
        CelComprehension loop = expression.comprehension();
        long cost = SizeRange.sum(cost(loop.iterRange()), cost(loop.accuInit()));
        push(loop.accuVar(), new Local(path(loop.accuInit()), size(loop.accuInit()), entriesOf(loop.accuInit())));
        Entries inside = entriesOf(loop.iterRange());
        boolean ofList = inside == null ? kind(loop.iterRange()) == CelKind.LIST : inside.list();
        SizeRange size = inside == null ? null : ofList ? inside.value() : inside.key();
        push(loop.iterVar(), new Local(append(path(loop.iterRange()), ofList ? ITEMS : KEYS), size, null));
        long turn = SizeRange.sum(cost(loop.loopCondition()), cost(loop.loopStep()));
        pop(loop.iterVar());
        cost = SizeRange.sum(cost, cost(loop.result()));
        pop(loop.accuVar());
        SizeRange turns = known(loop.iterRange());
        switch (loop.accuInit().getKind()) {
            case CONSTANT -> put(sizes, expression, size(loop.accuInit()));
            case LIST, MAP -> {
                put(sizes, expression, turns);
                put(entries, expression, entriesOf(loop.loopStep()));
            }
            default -> {}
        }
        return SizeRange.sum(cost, SizeRange.product(turns.max(), turn));
    }

    /** A comprehension that does not loop gives a value a name. */
    private static boolean isBinding(CelComprehension loop) {
        return loop.iterRange().getKind() == CelExpr.ExprKind.Kind.LIST
                && loop.iterRange().list().elements().isEmpty()
                && loop.loopCondition().getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && loop.loopCondition().constant().equals(CelConstant.ofValue(false))
                && !ACCUMULATORS.contains(loop.accuVar());
    }

    private long binding(CelExpr expression) {
        CelComprehension loop = expression.comprehension();
        long cost = SizeRange.sum(cost(loop.iterRange()), cost(loop.accuInit()));
        push(loop.accuVar(), new Local(path(loop.accuInit()), size(loop.accuInit()), entriesOf(loop.accuInit())));
        cost = SizeRange.sum(cost, cost(loop.result()));
        pop(loop.accuVar());
        copySizes(expression, loop.result());
        return cost;
    }

    /** The size of a value, without bound if it is not known. */
    SizeRange known(CelExpr expression) {
        SizeRange size = size(expression);
        return size == null ? SizeRange.UNKNOWN : size;
    }

    /** The size of the items of a list; null where it is no list. */
    @Nullable
    SizeRange itemSize(CelExpr list) {
        if (kind(list) != CelKind.LIST) {
            return null;
        }
        List<String> path = path(list);
        SizeRange found = path.isEmpty() ? null : declared(append(path, ITEMS));
        return found == null ? SizeRange.UNKNOWN : found;
    }

    /** Whether the items of a list are texts. */
    boolean holdsTexts(CelExpr list) {
        List<CelType> parameters = tree.getType(list.id())
                .map(type -> List.<CelType>copyOf(type.parameters()))
                .orElse(List.of());
        return !parameters.isEmpty()
                && (parameters.getFirst().kind() == CelKind.STRING
                        || parameters.getFirst().kind() == CelKind.BYTES);
    }

    private @Nullable SizeRange size(CelExpr expression) {
        SizeRange computed = sizes.get(expression.id());
        if (computed == null) {
            computed = literal(expression);
        }
        if (computed == null) {
            computed = declared(path(expression));
            put(sizes, expression, computed);
        }
        if (computed == null && isScalar(tree.getType(expression.id()).orElse(null))) {
            return SizeRange.of(1);
        }
        if (computed == null && expression.getKind() == CelExpr.ExprKind.Kind.IDENT) {
            Local local = local(expression.ident().name());
            return local == null ? null : local.size();
        }
        return computed;
    }

    private static @Nullable SizeRange literal(CelExpr expression) {
        return switch (expression.getKind()) {
            case LIST -> SizeRange.of(expression.list().elements().size());
            case MAP -> SizeRange.of(expression.map().entries().size());
            case CONSTANT ->
                switch (expression.constant().getKind()) {
                    case STRING_VALUE -> {
                        String text = expression.constant().stringValue();
                        yield SizeRange.of(text.codePointCount(0, text.length()));
                    }
                    case BYTES_VALUE ->
                        SizeRange.of(expression.constant().bytesValue().size());
                    default -> SizeRange.of(1);
                };
            default -> null;
        };
    }

    /** What the schema says of the value that names lead to, the first of which is a variable. */
    private @Nullable SizeRange declared(List<String> path) {
        if (path.isEmpty()) {
            return null;
        }
        DeclaredType reached = self;
        for (String name : path.subList(1, path.size())) {
            boolean inside = name.equals(ITEMS) || name.equals(VALUES);
            if (name.equals(KEYS) && reached.element() != null) {
                return new SizeRange(0, 0);
            }
            DeclaredType next = inside ? reached.element() : reached.fields().get(name);
            if (next == null) {
                return null;
            }
            reached = next;
        }
        return new SizeRange(0, reached.elementsMax());
    }

    private static boolean isScalar(@Nullable CelType type) {
        return type != null
                && (SCALARS.contains(type.kind())
                        || (type instanceof OptionalType
                                && isScalar(type.parameters().getFirst())));
    }

    private @Nullable CelKind kind(CelExpr expression) {
        return tree.getType(expression.id()).map(CelType::kind).orElse(null);
    }

    private List<String> path(CelExpr expression) {
        Local local = expression.getKind() == CelExpr.ExprKind.Kind.IDENT
                ? local(expression.ident().name())
                : null;
        return local == null ? paths.getOrDefault(expression.id(), List.of()) : local.path();
    }

    private @Nullable Entries entriesOf(CelExpr expression) {
        Entries found = entries.get(expression.id());
        if (found == null && expression.getKind() == CelExpr.ExprKind.Kind.IDENT) {
            Local local = local(expression.ident().name());
            return local == null ? null : local.entries();
        }
        return found;
    }

    private void copySizes(CelExpr to, CelExpr from) {
        put(sizes, to, size(from));
        put(entries, to, entriesOf(from));
    }

    private static <T> void put(Map<Long, T> kept, CelExpr expression, @Nullable T value) {
        if (value != null) {
            kept.put(expression.id(), value);
        }
    }

    private @Nullable Local local(String name) {
        Deque<Local> known = locals.get(name);
        return known == null ? null : known.peek();
    }

    private void push(String name, Local local) {
        locals.computeIfAbsent(name, key -> new ArrayDeque<>()).push(local);
    }

    private void pop(String name) {
        Deque<Local> known = locals.get(name);
        if (known != null) {
            known.pop();
        }
    }

    private static List<String> append(List<String> path, String name) {
        List<String> longer = new ArrayList<>(path);
        longer.add(name);
        return List.copyOf(longer);
    }
}
