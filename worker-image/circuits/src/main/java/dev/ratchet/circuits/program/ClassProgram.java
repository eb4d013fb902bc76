/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.program;

import dev.ratchet.circuits.builder.CircuitBuilder;
import dev.ratchet.circuits.builder.CircuitProgram;
import dev.ratchet.circuits.builder.OutputKeys;
import dev.ratchet.circuits.circuit.Plan;
import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.circuits.sql.ProgramFingerprint;
import dev.ratchet.circuits.sql.Relation;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;

/**
 * A program that a class has built.
 *
 * @param plan its tables and views under the names of the relations
 * @param tables in the order in which they were declared
 * @param views in the order in which they were declared
 */
public record ClassProgram(Plan plan, List<Relation> tables, List<Relation> views) implements CompiledProgram {

    public ClassProgram {
        tables = List.copyOf(tables);
        views = List.copyOf(views);
    }

    @Override
    public String fingerprint() {
        return ProgramFingerprint.of(plan, tables, views);
    }

    /**
     * Makes a class of a jar and has it build its circuit, in the thread of the caller; takes as long as the class
     * takes. The classes of the jar stay loaded for as long as the program is in use.
     *
     * @param className full name of a {@link CircuitProgram}
     * @param outputKeys that are said beside the program
     * @throws ProgramInvalidException where the class can not be used, or throws, with its place in the class
     */
    public static ClassProgram load(Path jar, String className, OutputKeys outputKeys) {
        requireJar(jar);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            URL url = jar.toUri().toURL();
            // Open for as long as anything of it is used: classes may be loaded when rows come.
            ClassLoader classes = new ProgramClassLoader(url, ClassProgram.class.getClassLoader());
            thread.setContextClassLoader(classes);
            return build(make(className, classes), outputKeys);
        } catch (IOException unreadable) {
            throw new ProgramInvalidException("The jar can not be read: " + unreadable, unreadable);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static void requireJar(Path jar) {
        try (JarFile opened = new JarFile(jar.toFile())) {
            if (opened.size() == 0) {
                throw new ProgramInvalidException("The jar is empty; pack the class into it");
            }
        } catch (IOException damaged) {
            throw new ProgramInvalidException(
                    "The file is no jar: " + damaged.getMessage() + "; pack it anew", damaged);
        }
    }

    private static CircuitProgram make(String className, ClassLoader classes) {
        Class<?> type;
        try {
            type = Class.forName(className, true, classes);
        } catch (ClassNotFoundException missing) {
            throw new ProgramInvalidException(
                    "The jar has no class " + className + "; give its full name, with the package", missing);
        } catch (LinkageError unloadable) {
            throw failed(className, "can not be loaded", unloadable);
        }
        if (!CircuitProgram.class.isAssignableFrom(type)) {
            throw new ProgramInvalidException("The class " + className + " does not implement "
                    + CircuitProgram.class.getName() + "; have it do so, or name the class that does");
        }
        try {
            return (CircuitProgram) type.getConstructor().newInstance();
        } catch (NoSuchMethodException | InstantiationException | IllegalAccessException unusable) {
            throw new ProgramInvalidException(
                    "The class " + className + " can not be made: it needs to be public, not abstract, and to have a"
                            + " public constructor without parameters",
                    unusable);
        } catch (InvocationTargetException thrown) {
            throw failed(
                    className, "throws in its constructor", thrown.getCause() == null ? thrown : thrown.getCause());
        } catch (LinkageError unloadable) {
            throw failed(className, "can not be loaded", unloadable);
        }
    }

    private static ClassProgram build(CircuitProgram program, OutputKeys outputKeys) {
        String className = program.getClass().getName();
        CircuitBuilder builder = CircuitBuilder.ofNamed(outputKeys);
        try {
            program.build(builder);
            ClassProgram built = of(builder);
            outputKeys.requireViews(built.plan().views().keySet());
            return built;
        } catch (ProgramInvalidException told) {
            throw told;
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError thrown) {
            throw failed(className, "can not build its circuit", thrown);
        }
    }

    /** What was declared. */
    private static ClassProgram of(CircuitBuilder builder) {
        Plan plan = builder.build();
        if (plan.views().isEmpty()) {
            throw new ProgramInvalidException(
                    "The program declares no view; declare what is to be read, by" + " CircuitBuilder.view");
        }
        return new ClassProgram(
                plan,
                relations(plan.tables().keySet(), builder),
                relations(plan.views().keySet(), builder));
    }

    private static List<Relation> relations(Set<String> names, CircuitBuilder builder) {
        List<Relation> relations = new ArrayList<>();
        builder.columns().forEach((name, columns) -> {
            if (names.contains(name)) {
                List<Relation.Column> described = new ArrayList<>();
                for (int i = 0; i < columns.names().size(); i++) {
                    described.add(new Relation.Column(
                            columns.names().get(i), columns.types().get(i)));
                }
                relations.add(new Relation(name, described, Map.of(), builder.keyOf(name)));
            }
        });
        return relations;
    }

    private static ProgramInvalidException failed(String className, String what, Throwable thrown) {
        Throwable first =
                thrown instanceof ExceptionInInitializerError && thrown.getCause() != null ? thrown.getCause() : thrown;
        String place = Arrays.stream(first.getStackTrace())
                .filter(frame -> ProgramClassLoader.NAME.equals(frame.getClassLoaderName()))
                .findFirst()
                .map(frame -> " at " + frame.getClassName() + "." + frame.getMethodName() + " (" + frame.getFileName()
                        + ":" + frame.getLineNumber() + ")")
                .orElse("");
        String message = first instanceof IllegalArgumentException || first instanceof IllegalStateException
                ? String.valueOf(first.getMessage())
                : first.toString();
        return new ProgramInvalidException(
                "The class " + className + " " + what + place + ": " + message + remedy(first), thrown);
    }

    private static String remedy(Throwable thrown) {
        return switch (thrown) {
            case UnsupportedClassVersionError newer ->
                "; compile it for Java " + Runtime.version().feature() + " or older, with maven.compiler.release";
            case NoClassDefFoundError missing ->
                "; pack the library with that class into the jar, or, of the worker's classes, use those that"
                        + " programs are built with alone";
            default -> "";
        };
    }
}
