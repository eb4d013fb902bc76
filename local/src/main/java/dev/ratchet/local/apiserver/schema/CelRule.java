/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelValidationException;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One rule of {@code x-kubernetes-validations}: compiled once, when it is first needed; evaluating it has no effect on
 * anything.
 */
final class CelRule {

    private static final Pattern MENTIONS_OLD_SELF = Pattern.compile("\\boldSelf\\b");

    private final String rule;
    private final String message;
    private final String messageExpression;
    private final String reason;
    private final String fieldPath;
    private final boolean optionalOldSelf;
    private volatile CelRuntime.@Nullable Program program;

    CelRule(JsonNode source) {
        rule = source.path("rule").asText("");
        message = source.path("message").asText("");
        messageExpression = source.path("messageExpression").asText("");
        reason = source.path("reason").asText("FieldValueInvalid");
        fieldPath = source.path("fieldPath").asText("");
        optionalOldSelf = source.path("optionalOldSelf").asBoolean(false);
    }

    /** Compares with the value before the change, so there must be one. */
    boolean isTransition() {
        return !optionalOldSelf && MENTIONS_OLD_SELF.matcher(rule).find();
    }

    boolean wantsOptionalOldSelf() {
        return optionalOldSelf;
    }

    String reason() {
        return reason;
    }

    String fieldPath() {
        return fieldPath;
    }

    /**
     * Compiles the rule, and its message where that is an expression.
     *
     * @throws CelValidationException with the compiler's words when the rule is no CEL
     */
    void compile() throws CelValidationException {
        try {
            program = Cel.compile(rule);
            if (!messageExpression.isEmpty()) {
                Cel.compile(messageExpression);
            }
        } catch (CelEvaluationException e) {
            throw new IllegalStateException("CEL rule " + rule + " compiles but can not be planned", e);
        }
    }

    /** Null when the rule holds, otherwise the message of its failure. */
    @Nullable
    String evaluate(Map<String, Object> variables) {
        try {
            CelRuntime.Program ready = program;
            if (ready == null) {
                compile();
                ready = program;
            }
            if (ready != null && Boolean.TRUE.equals(ready.eval(variables))) {
                return null;
            }
            return failureMessage(variables);
        } catch (CelEvaluationException e) {
            return "rule '" + rule + "' could not be evaluated: " + e.getMessage();
        } catch (CelValidationException e) {
            return "rule '" + rule + "' could not be compiled: " + e.getMessage();
        }
    }

    private String failureMessage(Map<String, Object> variables) throws CelValidationException {
        if (!messageExpression.isEmpty()) {
            try {
                Object text = Cel.compile(messageExpression).eval(variables);
                if (text instanceof String found && !found.isBlank()) {
                    return found;
                }
            } catch (CelEvaluationException e) {
                // As on the real server: a message expression that fails falls back to the fixed message.
                return message.isEmpty() ? "failed rule: " + rule : message;
            }
        }
        return message.isEmpty() ? "failed rule: " + rule.strip() : message;
    }
}
