/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.code;

import java.net.URL;
import java.net.URLClassLoader;

/**
 * The classes of one set of artifacts. Only the Java platform, the client API and slf4j come from the worker;
 * everything else comes from the artifacts, so that users' libraries never meet the worker's.
 */
public final class CodeLoader extends URLClassLoader {

    static {
        ClassLoader.registerAsParallelCapable();
    }

    private final ClassLoader worker;

    /**
     * Opens the artifacts.
     *
     * @param worker where the client API and slf4j come from
     */
    public CodeLoader(String name, URL[] artifacts, ClassLoader worker) {
        super(name, artifacts, ClassLoader.getPlatformClassLoader());
        this.worker = worker;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith("dev.ratchet.client.") || name.startsWith("org.slf4j.")) {
            return worker.loadClass(name);
        }
        return super.loadClass(name, resolve);
    }
}
