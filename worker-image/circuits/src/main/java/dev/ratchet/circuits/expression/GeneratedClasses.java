/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression;

import java.util.LinkedHashMap;
import java.util.Map;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.janino.SimpleCompiler;

/**
 * Classes of generated source. Equal source is one class for all programs of the process, so that machine code made for
 * one run serves the next; the {@value #KEPT_MAX} that were asked for last are kept. Source that sees the functions of
 * a program is compiled for that program, whose classes must be free to go with it. Safe for use by several threads.
 */
final class GeneratedClasses {

    static final int KEPT_MAX = 512;

    private static final Map<String, Class<?>> KEPT = new LinkedHashMap<>(16, 0.75F, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Class<?>> eldest) {
            return size() > KEPT_MAX;
        }
    };

    private GeneratedClasses() {}

    /**
     * The class of a source.
     *
     * @param name of the class, which is all that the source has
     * @param parent sees the classes that the source names
     * @throws CompileException where the source has a mistake
     */
    static Class<?> of(String name, String source, ClassLoader parent) throws CompileException, ClassNotFoundException {
        if (parent != GeneratedClasses.class.getClassLoader()) {
            return compile(name, source, parent);
        }
        synchronized (KEPT) {
            Class<?> kept = KEPT.get(source);
            if (kept != null) {
                return kept;
            }
        }
        Class<?> made = compile(name, source, parent);
        synchronized (KEPT) {
            Class<?> first = KEPT.putIfAbsent(source, made);
            return first == null ? made : first;
        }
    }

    private static Class<?> compile(String name, String source, ClassLoader parent)
            throws CompileException, ClassNotFoundException {
        SimpleCompiler compiler = new SimpleCompiler();
        compiler.setParentClassLoader(parent);
        compiler.cook(source);
        return compiler.getClassLoader().loadClass(name);
    }
}
