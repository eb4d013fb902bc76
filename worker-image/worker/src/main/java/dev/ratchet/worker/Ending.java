/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import org.jspecify.annotations.Nullable;

/**
 * What becomes of this process when it is told to end (TERM) or exits by itself: its worker ends in order, and the exit
 * code is that of what came of it, not the signal's. In force before there is a worker: told to end meanwhile, the
 * process has nothing to give back and is {@link ExitCode#DONE}. Only a signal that comes before the first line of a
 * program can run ends a JVM with 143.
 */
final class Ending extends Thread {

    private volatile ExitCode code = ExitCode.DONE;
    private volatile @Nullable WorkerProcess worker;

    private Ending() {
        super("ratchet-shutdown");
    }

    /** To be called before anything else. */
    static Ending inForce() {
        Ending ending = new Ending();
        Runtime.getRuntime().addShutdownHook(ending);
        return ending;
    }

    /** From now on it is this one that is told to end. */
    void begins(WorkerProcess process) {
        worker = process;
    }

    /** Ends this process, in which there was no worker. */
    void exit(ExitCode why) {
        code = why;
        System.exit(why.number());
    }

    /** Runs in every exit of the JVM. */
    @Override
    public void run() {
        WorkerProcess begun = worker;
        Runtime.getRuntime().halt((begun == null ? code : begun.terminate()).number());
    }
}
