/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.cluster;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;

/** Runs a main class that would outlive whoever started it, and ends the process when its standard input ends. */
final class Leash {

    private static final int EXIT_CODE = 137;

    private Leash() {}

    /** Arguments: name of a main class, and its arguments. */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        Thread watch = new Thread(Leash::watch, "leash");
        watch.setDaemon(true);
        watch.start();
        Method main = Class.forName(arguments[0]).getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        main.invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
    }

    private static void watch() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is said on a leash.
            }
        } catch (IOException broken) {
            // As an end.
        }
        Runtime.getRuntime().halt(EXIT_CODE);
    }
}
