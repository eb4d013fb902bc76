/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.definitions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.ratchet.local.apiserver.json.FieldError;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.schema.Cel;
import dev.ratchet.local.apiserver.schema.FieldPath;
import dev.ratchet.local.apiserver.schema.Schema;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Checks the rules of one node of a schema: their types, what they cost, and whether there is an old value to see. */
final class RuleChecks {
    private static final String RULES = "x-kubernetes-validations";

    private final SchemaPlace place;
    private final RuleBudget budget;
    private final List<FieldError> errors;
    private final DeclaredType self;

    private RuleChecks(SchemaPlace place, DeclaredType self, RuleBudget budget, List<FieldError> errors) {
        this.place = place;
        this.self = self;
        this.budget = budget;
        this.errors = errors;
    }

    static void check(Schema schema, SchemaPlace place, RuleBudget budget, List<FieldError> errors) {
        JsonNode rules = schema.source().path(RULES);
        if (rules.isEmpty()) {
            return;
        }
        DeclaredType self = DeclaredType.of(schema, place.isResource(schema), "selfType");
        if (self == null) {
            errors.add(FieldError.internal(
                    FieldPath.child(place.path(), RULES),
                    "internal error: failed to construct type information for x-kubernetes-validations rules: unable "
                            + "to convert structural schema to CEL declarations"));
            return;
        }
        RuleChecks checks = new RuleChecks(place, self, budget, errors);
        for (int i = 0; i < rules.size(); i++) {
            checks.check(rules.get(i), FieldPath.index(FieldPath.child(place.path(), RULES), i));
        }
    }

    private void check(JsonNode rule, String path) {
        boolean optional = rule.path("optionalOldSelf").asBoolean(false);
        CelType oldSelf = optional ? OptionalType.create(self.type()) : self.type();
        String at = FieldPath.child(path, "rule");
        CelAbstractSyntaxTree tree =
                compile(oldSelf, rule.path("rule").asText(), at, rule, SimpleType.BOOL, "compilation failed: ");
        if (tree == null) {
            return;
        }
        long cost = ExpressionCost.of(tree, self);
        budget.spend("rule", at, SizeRange.product(cost, place.occurrences(self)), errors);
        checkOldSelf(tree, rule, path);
        if (rule.has("messageExpression")) {
            String text = FieldPath.child(path, "messageExpression");
            CelAbstractSyntaxTree message = compile(
                    oldSelf,
                    rule.path("messageExpression").asText(),
                    text,
                    rule,
                    SimpleType.STRING,
                    "messageExpression compilation failed: ");
            if (message != null) {
                budget.spend("messageExpression", text, ExpressionCost.of(message, self), errors);
            }
        }
    }

    private @Nullable CelAbstractSyntaxTree compile(
            CelType oldSelf, String text, String path, JsonNode rule, CelType wanted, String failed) {
        try {
            CelAbstractSyntaxTree tree = Cel.check(text, self.type(), oldSelf, self.provider());
            if (tree.getResultType().equals(wanted)) {
                return tree;
            }
            String detail = wanted.equals(SimpleType.BOOL)
                    ? "cel expression must evaluate to a bool"
                    : "messageExpression must evaluate to a string";
            errors.add(FieldError.invalid(path, shown(rule), detail));
        } catch (CelValidationException e) {
            errors.add(FieldError.invalid(path, shown(rule), failed + e.getMessage()));
        }
        return null;
    }

    /** As the real server shows it: with the names of its own members, in their order. */
    private static String shown(JsonNode rule) {
        ObjectNode shown = Json.object();
        for (String member :
                List.of("Rule", "Message", "MessageExpression", "Reason", "FieldPath", "OptionalOldSelf")) {
            JsonNode value = rule.get(member.substring(0, 1).toLowerCase(Locale.ROOT) + member.substring(1));
            boolean mayBeNull = member.equals("Reason") || member.equals("OptionalOldSelf");
            if (value != null) {
                shown.set(member, value);
            } else if (mayBeNull) {
                shown.putNull(member);
            } else {
                shown.put(member, "");
            }
        }
        return shown.toString();
    }

    private void checkOldSelf(CelAbstractSyntaxTree tree, JsonNode rule, String path) {
        boolean uses = tree.getReferenceMap().values().stream()
                .anyMatch(reference -> reference.name().equals("oldSelf"));
        if (uses && place.uncorrelated() != null) {
            errors.add(FieldError.invalid(
                    FieldPath.child(path, "rule"),
                    "\"" + rule.path("rule").asText() + "\"",
                    "oldSelf cannot be used on the uncorrelatable portion of the schema within "
                            + place.uncorrelated()));
        } else if (!uses && rule.has("optionalOldSelf")) {
            errors.add(FieldError.invalid(
                    FieldPath.child(path, "optionalOldSelf"),
                    rule.path("optionalOldSelf").toString(),
                    "may not be set if oldSelf is not used in rule"));
        }
    }
}
