/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.program;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;

/**
 * The classes of one jar. Only the Java platform, what programs are built with and slf4j come from the worker;
 * everything else comes from the jar, so that its libraries never meet the worker's.
 */
final class ProgramClassLoader extends URLClassLoader {

    static {
        ClassLoader.registerAsParallelCapable();
    }

    /** What programs see of the worker: packages, and of one package the promises of tables. */
    private static final List<String> SHARED = List.of(
            "dev.ratchet.circuits.builder.",
            "dev.ratchet.circuits.operator.",
            "dev.ratchet.circuits.type.",
            "dev.ratchet.circuits.circuit.Plan",
            "org.slf4j.");

    /** By which stack traces tell the code of the program. */
    static final String NAME = "circuit-program";

    private final ClassLoader worker;

    ProgramClassLoader(URL jar, ClassLoader worker) {
        super(NAME, new URL[] {jar}, ClassLoader.getPlatformClassLoader());
        this.worker = worker;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        return SHARED.stream().anyMatch(name::startsWith) ? worker.loadClass(name) : super.loadClass(name, resolve);
    }
}
