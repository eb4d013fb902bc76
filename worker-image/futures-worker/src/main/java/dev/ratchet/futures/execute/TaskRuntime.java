/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import dev.ratchet.futures.artifact.CodeCache;
import dev.ratchet.futures.isolation.TaskProcesses;
import dev.ratchet.futures.nesting.TaskClients;
import java.util.concurrent.ThreadFactory;

/**
 * What users' code runs on.
 *
 * @param code its classes
 * @param clients how it reaches the cluster
 * @param processes where isolated tasks run
 * @param slotThreads makes the threads that run it, one per task; they must not hold the process
 */
public record TaskRuntime(CodeCache code, TaskClients clients, TaskProcesses processes, ThreadFactory slotThreads) {}
