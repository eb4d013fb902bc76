/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.code;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Which classes objects of results may have: plain values of the JDK, those of the API, and those that the reader knows
 * as its own code. Reading an object runs code of its class, so what merely lies on the class path is refused.
 */
public final class ResultClasses {

    private static final String API = "dev.ratchet.client.";

    private static final Set<String> PACKAGES = Set.of(
            "java.lang",
            "java.math",
            "java.text",
            "java.time",
            "java.time.chrono",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "java.util.concurrent.locks");

    private static final Set<String> SINGLE = Set.of(
            "java.io.File",
            "java.lang.invoke.SerializedLambda",
            "java.lang.reflect.Proxy",
            "java.net.Inet4Address",
            "java.net.Inet6Address",
            "java.net.InetAddress",
            "java.net.InetSocketAddress",
            "java.net.URI",
            "java.sql.Date",
            "java.sql.Time",
            "java.sql.Timestamp",
            "java.util.regex.Pattern");

    /** For code that runs on a worker, where no class is but those of the code and the JDK. */
    static final ResultClasses OF_TASKS = new ResultClasses(type -> true);

    private final Predicate<Class<?>> own;
    private final Set<Class<?>> known = ConcurrentHashMap.newKeySet();

    /** @param own whether the reader knows a class, which is neither an array nor of the JDK's plain values */
    public ResultClasses(Predicate<Class<?>> own) {
        this.own = own;
    }

    boolean allow(Class<?> type) {
        Class<?> single = type;
        while (single.isArray()) {
            single = single.componentType();
        }
        if (single.isHidden()) { // That of a lambda: whoever wrote the lambda has made it.
            single = single.getNestHost();
        }
        return single.isPrimitive()
                || isPlain(single)
                || single.getName().startsWith(API)
                || single.equals(FutureReference.class)
                || isProxyOfAllowed(single)
                || isOwn(single);
    }

    /** Found out once for each class that is: looking into artifacts takes its time. */
    private boolean isOwn(Class<?> type) {
        if (known.contains(type)) {
            return true;
        }
        if (own.test(type)) {
            known.add(type);
            return true;
        }
        return false;
    }

    private static boolean isPlain(Class<?> type) {
        if (type.getClassLoader() != null && type.getClassLoader() != ClassLoader.getPlatformClassLoader()) {
            return false;
        }
        return PACKAGES.contains(type.getPackageName())
                || SINGLE.contains(type.getName())
                || (type.getName().startsWith("java.")
                        && (type.isEnum() || type.isInterface() || Throwable.class.isAssignableFrom(type)));
    }

    private boolean isProxyOfAllowed(Class<?> type) {
        if (!java.lang.reflect.Proxy.isProxyClass(type)) {
            return false;
        }
        for (Class<?> implemented : type.getInterfaces()) {
            if (!allow(implemented)) {
                return false;
            }
        }
        return true;
    }
}
