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

    /** Why a rule does not hold: it is false, or it has no value. */
    record Failure(boolean isFalse, String message) {}

    /** Null when the rule holds. */
    @Nullable
    Failure evaluate(Map<String, Object> variables) {
        try {
            CelRuntime.Program ready = program;
            if (ready == null) {
                compile();
                ready = program;
            }
            if (ready != null && Boolean.TRUE.equals(ready.eval(variables))) {
                return null;
            }
            return new Failure(true, failureMessage(variables));
        } catch (CelEvaluationException e) {
            return new Failure(false, cause(e) + " evaluating rule: " + (message.isEmpty() ? rule : message).strip());
        } catch (CelValidationException e) {
            return new Failure(false, "rule '" + rule + "' could not be compiled: " + e.getMessage());
        }
    }

    /** Without where in the rule it happened, as the real server says it. */
    private static String cause(CelEvaluationException problem) {
        Throwable cause = problem.getCause() == null ? problem : problem.getCause();
        String text = String.valueOf(cause.getMessage());
        return text.replaceFirst("^evaluation error( at [^:]*:[0-9]+)?: ", "")
                .replaceFirst("^key '([^']*)' is not present in map\\.?$", "no such key: $1");
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
