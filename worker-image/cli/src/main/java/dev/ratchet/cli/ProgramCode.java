/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.NamedTask;
import dev.ratchet.client.Program;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.RatchetException;
import dev.ratchet.futures.code.CodeLoader;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.jar.JarFile;

/** The classes of the jars on the command line, loaded as a worker would load them. */
final class ProgramCode implements AutoCloseable {

    private final CodeLoader loader;
    private final List<Path> jars;

    private ProgramCode(CodeLoader loader, List<Path> jars) {
        this.loader = loader;
        this.jars = jars;
    }

    /** Opens the jars. @throws InvalidInputException if one of them is none */
    static ProgramCode open(List<Path> jars) throws IOException {
        URL[] urls = new URL[jars.size()];
        for (int i = 0; i < urls.length; i++) {
            requireCode(jars.get(i));
            urls[i] = jars.get(i).toAbsolutePath().toUri().toURL();
        }
        return new ProgramCode(new CodeLoader("program", urls, ProgramCode.class.getClassLoader()), jars);
    }

    private static void requireCode(Path jar) {
        if (Files.isDirectory(jar)) {
            return;
        }
        if (!Files.exists(jar)) {
            throw new InvalidInputException("There is no jar at " + jar + ".");
        }
        try (JarFile opened = new JarFile(jar.toFile())) {
            if (opened.size() == 0) {
                throw new InvalidInputException("The jar " + jar + " is empty.");
            }
        } catch (IOException notJar) {
            throw new InvalidInputException("The file " + jar + " is not a jar: " + notJar.getMessage(), notJar);
        }
    }

    /** Runs a program in this process. @throws RatchetException whatever goes wrong in it */
    void run(Program program, ConnectionOptions options, List<String> arguments) throws InterruptedException {
        try (Ratchet ratchet = Ratchet.connect(options)) {
            run(program, ratchet, arguments);
        }
    }

    /** Runs a program that is connected. */
    void run(Program program, Ratchet ratchet, List<String> arguments) throws InterruptedException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            program.run(ratchet, List.copyOf(arguments));
        } catch (RatchetException | InterruptedException told) {
            throw told;
        } catch (CompletionException wrapped) {
            throw wrapped.getCause() instanceof RatchetException told ? told : failed(program.getClass(), wrapped);
        } catch (LinkageError unloadable) {
            String remedy = MissingCode.remedy(unloadable.toString());
            throw remedy.isEmpty()
                    ? failed(program.getClass(), unloadable)
                    : new InvalidInputException(
                            "The program " + program.getClass().getName() + " can not go on. " + remedy, unloadable);
        } catch (Exception thrown) {
            throw failed(program.getClass(), thrown);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static ProgramFailedException failed(Class<?> program, Throwable thrown) {
        return new ProgramFailedException(program.getName(), thrown);
    }

    /** Makes a program. @throws InvalidInputException if the class is missing or is no program */
    Program program(String className) {
        Class<?> type = type(className);
        if (!Program.class.isAssignableFrom(type)) {
            throw new InvalidInputException(
                    "The class " + className + " does not implement dev.ratchet.client.Program.");
        }
        try {
            return (Program) type.getConstructor().newInstance();
        } catch (NoSuchMethodException | InstantiationException | IllegalAccessException unusable) {
            throw new InvalidInputException(
                    "The program " + className + " has no public constructor without parameters.", unusable);
        } catch (InvocationTargetException thrown) {
            throw failed(type, thrown.getCause() == null ? thrown : thrown.getCause());
        } catch (LinkageError unloadable) {
            throw unusable(className, unloadable);
        }
    }

    private static InvalidInputException unusable(String className, LinkageError unloadable) {
        String remedy = MissingCode.remedy(unloadable.toString());
        return new InvalidInputException(
                "The class " + className + " can not be loaded. " + (remedy.isEmpty() ? unloadable : remedy),
                unloadable);
    }

    /** Checks that a task is there. @throws InvalidInputException if it is not */
    void require(NamedTask task) {
        boolean found = Arrays.stream(type(task.className()).getMethods())
                .anyMatch(method -> method.getName().equals(task.method()) && isTask(method));
        if (!found) {
            throw new InvalidInputException("The class " + task.className() + " has no public static method "
                    + task.method() + "() or " + task.method() + "(String).");
        }
    }

    private static boolean isTask(Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        return Modifier.isStatic(method.getModifiers())
                && (parameters.length == 0 || (parameters.length == 1 && parameters[0] == String.class));
    }

    private Class<?> type(String className) {
        try {
            return Class.forName(className, false, loader);
        } catch (ClassNotFoundException missing) {
            throw new InvalidInputException(
                    "There is no class " + className + " in " + jars + "; give its full name, with the package.",
                    missing);
        } catch (LinkageError unloadable) {
            throw unusable(className, unloadable);
        }
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}
