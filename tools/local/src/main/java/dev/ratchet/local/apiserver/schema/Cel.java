/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.schema;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelOptionalLibrary;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.validator.CelAstValidator;
import dev.cel.validator.CelValidatorFactory;
import dev.cel.validator.validators.DurationLiteralValidator;
import dev.cel.validator.validators.HomogeneousLiteralValidator;
import dev.cel.validator.validators.RegexLiteralValidator;
import dev.cel.validator.validators.TimestampLiteralValidator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The one CEL environment of the stand-in. A definition is checked with types of its own; what it holds is evaluated
 * with dynamic ones, since checked rules name nothing that is not there. Programs are kept by their text, at most
 * 2,000: the rules of a definition are few, and a definition that is applied again has mostly the same ones.
 */
public final class Cel {

    private static final int MAXIMUM_PROGRAMS = 2_000;
    private static final CelOptions OPTIONS =
            CelOptions.current().enableHeterogeneousNumericComparisons(true).build();
    private static final CelCompiler COMPILER = environment()
            .addVar("self", SimpleType.DYN)
            .addVar("oldSelf", SimpleType.DYN)
            .build();
    private static final CelRuntime RUNTIME = CelRuntimeFactory.legacyCelRuntimeBuilder()
            .setOptions(OPTIONS)
            .addLibraries(CelExtensions.strings(), CelOptionalLibrary.INSTANCE)
            .build();
    private static final List<CelAstValidator> LITERALS = List.of(
            RegexLiteralValidator.INSTANCE,
            DurationLiteralValidator.INSTANCE,
            TimestampLiteralValidator.INSTANCE,
            HomogeneousLiteralValidator.newInstance());
    private static final Map<String, CelRuntime.Program> PROGRAMS = new ConcurrentHashMap<>();

    private Cel() {}

    private static CelCompilerBuilder environment() {
        return CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addLibraries(CelExtensions.strings(), CelOptionalLibrary.INSTANCE);
    }

    /**
     * Checks an expression over {@code self} and {@code oldSelf} of these types.
     *
     * @param types all that they are made of
     * @throws CelValidationException with the compiler's words if the expression is no CEL over them, or has a literal
     *     that its function can not take
     */
    public static CelAbstractSyntaxTree check(String expression, CelType self, CelType oldSelf, CelTypeProvider types)
            throws CelValidationException {
        CelCompiler compiler = environment()
                .setTypeProvider(types)
                .addVar("self", self)
                .addVar("oldSelf", oldSelf)
                .build();
        CelAbstractSyntaxTree tree = compiler.compile(expression).getAst();
        return CelValidatorFactory.standardCelValidatorBuilder(compiler, RUNTIME)
                .addAstValidators(LITERALS)
                .build()
                .validate(tree)
                .getAst();
    }

    static CelRuntime.Program compile(String expression) throws CelValidationException, CelEvaluationException {
        CelRuntime.Program known = PROGRAMS.get(expression);
        if (known != null) {
            return known;
        }
        CelRuntime.Program made =
                RUNTIME.createProgram(COMPILER.compile(expression).getAst());
        if (PROGRAMS.size() < MAXIMUM_PROGRAMS) {
            PROGRAMS.put(expression, made);
        }
        return made;
    }
}
