/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.schema;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** How rules call the properties of a schema. */
public final class CelNames {

    private static final Pattern SUPPORTED = Pattern.compile("[a-zA-Z_./-][a-zA-Z0-9_./-]*");
    private static final Set<String> RESERVED = Set.of(
            "true",
            "false",
            "null",
            "in",
            "as",
            "break",
            "const",
            "continue",
            "else",
            "for",
            "function",
            "if",
            "import",
            "let",
            "loop",
            "package",
            "namespace",
            "return",
            "var",
            "void",
            "while");

    private CelNames() {}

    /** The identifier of a property; empty where rules can not name it. */
    public static Optional<String> escape(String property) {
        if (RESERVED.contains(property)) {
            return Optional.of("__" + property + "__");
        }
        if (!SUPPORTED.matcher(property).matches()) {
            return Optional.empty();
        }
        return Optional.of(property.replace("__", "__underscores__")
                .replace(".", "__dot__")
                .replace("-", "__dash__")
                .replace("/", "__slash__"));
    }
}
