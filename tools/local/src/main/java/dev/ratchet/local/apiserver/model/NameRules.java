/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.FieldError;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What names and labels may look like. */
public final class NameRules {

    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern PATH_SEGMENT = Pattern.compile("[^/%]+");
    private static final Pattern QUALIFIED = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");

    private NameRules() {}

    /** Adds to {@code errors} what is wrong with the name, namespace and labels of {@code object}. */
    public static void check(ResourceType type, ObjectNode object, List<FieldError> errors) {
        checkName(type, Metadata.name(object), errors);
        for (Map.Entry<String, String> label : Metadata.labels(object).entrySet()) {
            checkLabel(label.getKey(), label.getValue(), errors);
        }
    }

    private static void checkName(ResourceType type, String name, List<FieldError> errors) {
        String path = "metadata.name";
        if (name.isEmpty()) {
            errors.add(FieldError.required(path, "name or generateName is required"));
        } else if (type.group().equals("rbac.authorization.k8s.io")) {
            if (!PATH_SEGMENT.matcher(name).matches()) {
                errors.add(FieldError.invalid(path, quote(name), "may not contain '/' or '%'"));
            }
        } else if (type.is("", "namespaces") || type.is("", "services")) {
            if (name.length() > 63 || !LABEL.matcher(name).matches()) {
                errors.add(FieldError.invalid(
                        path,
                        quote(name),
                        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "
                                + "and must start and end with an"
                                + " alphanumeric character, with at most 63 characters"));
            }
        } else if (name.length() > 253 || !SUBDOMAIN.matcher(name).matches()) {
            errors.add(FieldError.invalid(
                    path,
                    quote(name),
                    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
                            + "'.', and must start and end with an"
                            + " alphanumeric character (e.g. 'example.com', regex used for validation is"
                            + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"));
        }
    }

    private static void checkLabel(String key, String value, List<FieldError> errors) {
        int slash = key.indexOf('/');
        String name = key.substring(slash + 1);
        boolean prefixIsGood =
                slash < 0 || SUBDOMAIN.matcher(key.substring(0, slash)).matches();
        if (!prefixIsGood || name.length() > 63 || !QUALIFIED.matcher(name).matches()) {
            errors.add(FieldError.invalid(
                    "metadata.labels",
                    quote(key),
                    "name part must consist of alphanumeric characters, '-', '_' or '.'"));
        }
        if (!value.isEmpty()
                && (value.length() > 63 || !QUALIFIED.matcher(value).matches())) {
            errors.add(FieldError.invalid(
                    "metadata.labels",
                    quote(value),
                    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
                            + "'.', must start and end with an"
                            + " alphanumeric character, and be at most 63 characters"));
        }
    }

    private static String quote(String text) {
        return "\"" + text + "\"";
    }
}
