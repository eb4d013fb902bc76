/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.world;

import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads for code that blocks, which still run on the one thread of the world and in virtual time: Java's virtual
 * threads, mounted by events of their process. Whatever unparks such a thread makes an event of it, so blocking queues,
 * futures and interrupts work as they are; only waits with a timeout would use real time, for which there is
 * {@link #sleep}. A thread of a killed process never runs again and is collected.
 *
 * <p>Java has the constructor but does not offer it: {@code --add-opens java.base/java.lang=ALL-UNNAMED}.
 */
public final class VirtualThreads implements ThreadFactory {

    private static final Method MAKER = maker();
    private static final ThreadLocal<@Nullable VirtualProcess> PROCESS = new ThreadLocal<>();

    private final VirtualProcess process;
    private int count;

    VirtualThreads(VirtualProcess process) {
        this.process = process;
    }

    private static Method maker() {
        try {
            Method maker = Class.forName("java.lang.ThreadBuilders")
                    .getDeclaredMethod("newVirtualThread", Executor.class, String.class, int.class, Runnable.class);
            maker.setAccessible(true);
            return maker;
        } catch (ReflectiveOperationException | InaccessibleObjectException closed) {
            throw new IllegalStateException(
                    "This Java does not let virtual threads be scheduled by the simulation: run it with"
                            + " --add-opens=java.base/java.lang=ALL-UNNAMED on Java 21 to 25",
                    closed);
        }
    }

    @Override
    public Thread newThread(Runnable task) {
        Executor scheduler = continuation -> process.world().at(0, process, continuation);
        Runnable inProcess = () -> {
            PROCESS.set(process);
            task.run();
        };
        count++;
        try {
            return (Thread) MAKER.invoke(null, scheduler, process.name() + "-thread-" + count, 0, inProcess);
        } catch (IllegalAccessException | InvocationTargetException impossible) {
            throw new IllegalStateException("A virtual thread could not be made", impossible);
        }
    }

    /** The process whose thread this is. */
    public static VirtualProcess current() {
        VirtualProcess process = PROCESS.get();
        if (process == null) {
            throw new IllegalStateException("Not a thread of a simulated process: " + Thread.currentThread());
        }
        return process;
    }

    /**
     * Lets so much time of the process pass, or less when interrupted.
     *
     * @throws InterruptedException if interrupted
     */
    public static void sleep(long millis) throws InterruptedException {
        VirtualProcess process = current();
        Thread sleeper = Thread.currentThread();
        boolean[] over = {false};
        var timer = process.schedule(millis, () -> {
            over[0] = true;
            LockSupport.unpark(sleeper);
        });
        while (!over[0]) {
            if (Thread.interrupted()) {
                timer.cancel();
                throw new InterruptedException("interrupted after less than " + millis + " ms");
            }
            LockSupport.park(over);
        }
    }
}
