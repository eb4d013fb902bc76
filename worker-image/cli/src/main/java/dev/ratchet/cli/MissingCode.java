/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is wrong with jars whose classes can not be loaded, here or on a worker, and what to do. Stateless. */
final class MissingCode {

    private static final Pattern MISSING =
            Pattern.compile("(?:NoClassDefFoundError|ClassNotFoundException): ([\\w.$/]+)");
    private static final Pattern NEWER =
            Pattern.compile("([\\w.$/]+) has been compiled by a more recent version of the Java Runtime"
                    + " \\(class file version (\\d+)\\.\\d+\\).* up to (\\d+)\\.");

    /** The version of class files of Java 0. */
    private static final int VERSION_OFFSET = 44;

    private MissingCode() {}

    /** What to do about a failure that says it of itself; nothing where it is another one. */
    static String remedy(String failure) {
        Matcher newer = NEWER.matcher(failure);
        if (newer.find()) {
            return "The class " + name(newer.group(1)) + " is compiled for Java " + java(newer.group(2))
                    + ", and what should run it is Java " + java(newer.group(3))
                    + ": compile it for that, with maven.compiler.release or javac --release.";
        }
        Matcher missing = MISSING.matcher(failure);
        return missing.find()
                ? "The class " + name(missing.group(1)) + " is in none of the jars that were given: pack its library"
                        + " into the jar of the program, or give the library's jar with another --jar."
                : "";
    }

    private static String name(String internal) {
        return internal.replace('/', '.');
    }

    private static int java(String version) {
        return Integer.parseInt(version) - VERSION_OFFSET;
    }
}
