/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression;

import dev.ratchet.circuits.expression.function.CodeFunctions;
import dev.ratchet.circuits.expression.function.DoubleFunctions;
import dev.ratchet.circuits.expression.function.NestedFunctions;
import dev.ratchet.circuits.expression.function.TextFunctions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A function that SQL calls by a name with nothing to decide about: the one table by which such calls are both
 * translated and shown. Of several names for one function the first is shown.
 */
public record NamedFunction(Class<?> owner, String method, Arguments arguments) {

    /** What becomes of the arguments of a call. */
    public enum Arguments {
        AS_GIVEN,
        TO_DOUBLES,
        /** An array, and as a constant behind it the type of its items. */
        ARRAY,
        /** An array and an item, which gets the type of the others. */
        ARRAY_AND_ITEM
    }

    /** SQL's name and ours. */
    private static final Pattern PAIR = Pattern.compile("(\\w+) (\\w+)");

    private static final Map<String, NamedFunction> BY_NAME = new LinkedHashMap<>();

    static {
        define(DoubleFunctions.class, Arguments.TO_DOUBLES, """
                ACOS arcCosine, ACOSH areaCosine, ASIN arcSine, ASINH areaSine, ATAN arcTangent, ATAN2 arcTangent2,
                ATANH areaTangent, CBRT cubeRoot, COS cosine, COSH hyperbolicCosine, COT cotangent,
                COTH hyperbolicCotangent, CSC cosecant, CSCH hyperbolicCosecant, DEGREES degrees, EXP exponential,
                IS_INF isInfinite, IS_NAN isNotANumber, LN naturalLogarithm, LOG10 decimalLogarithm,
                LOG2 binaryLogarithm, PI pi, POWER power, POW power, RADIANS radians, SEC secant,
                SECH hyperbolicSecant, SIN sine, SINH hyperbolicSine, SQRT squareRoot, TAN tangent,
                TANH hyperbolicTangent""");
        define(TextFunctions.class, Arguments.AS_GIVEN, """
                ASCII codePoint, CHAR_LENGTH length, CHARACTER_LENGTH length, LENGTH length, LEN length,
                CHR ofCodePoint, ENDS_WITH endsWith, INITCAP initialCapitals, LEFT left, LEVENSHTEIN editDistance,
                LOWER lower, REGEXP_EXTRACT extractMatch, REGEXP_LIKE matches, REGEXP_REPLACE replaceMatches,
                REPEAT repeat,
                REPLACE replace, REVERSE reverse, RIGHT right, SPACE spaces, SPLIT split, SPLIT_PART splitPart,
                STARTS_WITH startsWith, TRANSLATE translate, UPPER upper""");
        define(CodeFunctions.class, Arguments.AS_GIVEN, """
                FROM_BASE64 fromBase64, FROM_HEX fromHex, MD5 md5, SHA1 sha1, SHA256 sha256, SHA512 sha512,
                TO_BASE64 toBase64, TO_HEX toHex, TO_INT toInt""");
        define(NestedFunctions.class, Arguments.AS_GIVEN, """
                ARRAY_COMPACT compact, ELEMENT onlyItem, MAP_CONTAINS_KEY containsKey, MAP_KEYS keys,
                MAP_VALUES values""");
        define(NestedFunctions.class, Arguments.ARRAY, """
                ARRAY_DISTINCT distinct, ARRAY_MAX greatest, ARRAY_MIN least, ARRAY_REVERSE reverse""");
        define(NestedFunctions.class, Arguments.ARRAY_AND_ITEM, """
                ARRAY_CONTAINS contains, ARRAY_POSITION position, ARRAY_REMOVE remove""");
    }

    private static void define(Class<?> owner, Arguments arguments, String names) {
        PAIR.matcher(names)
                .results()
                .forEach(pair -> BY_NAME.put(pair.group(1), new NamedFunction(owner, pair.group(2), arguments)));
    }

    /** The function that SQL calls by this name in capitals; null for none that has nothing to decide about. */
    public static @Nullable NamedFunction of(String name) {
        return BY_NAME.get(name);
    }

    /** What SQL calls a method; null for none of these. */
    static @Nullable String nameOf(Class<?> owner, String method) {
        for (Map.Entry<String, NamedFunction> entry : BY_NAME.entrySet()) {
            NamedFunction function = entry.getValue();
            if (function.owner() == owner && function.method().equals(method)) {
                return entry.getKey();
            }
        }
        return null;
    }
}
