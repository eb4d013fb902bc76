/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.temporal;

import dev.ratchet.bench.calls.CallRuns;
import dev.ratchet.bench.calls.RemoteCalls;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A call is a workflow of one activity, a chain a workflow of as many; nothing is on a disk. */
final class TemporalProcess implements RemoteCalls {

    private static final String QUEUE = "calls";

    /** What an activity does. */
    @ActivityInterface
    public interface Same {
        @ActivityMethod
        int same(int number);
    }

    /** Runs in the worker. */
    public static final class SameActivity implements Same {
        @Override
        public int same(int number) {
            return number;
        }
    }

    /** So many calls, one after the other. */
    @WorkflowInterface
    public interface Calls {
        @WorkflowMethod
        int run(int number, int length);
    }

    /** Runs in the worker. */
    public static final class CallsWorkflow implements Calls {
        private final Same same = Workflow.newActivityStub(
                Same.class,
                ActivityOptions.newBuilder()
                        .setStartToCloseTimeout(Duration.ofMinutes(1))
                        .build());

        @Override
        public int run(int number, int length) {
            int last = same.same(number);
            for (int i = 1; i < length; i++) {
                last = same.same(last + 1);
            }
            return last;
        }
    }

    private final TestWorkflowEnvironment environment;
    private final WorkflowClient client;

    private TemporalProcess() {
        environment = TestWorkflowEnvironment.newInstance(
                TestEnvironmentOptions.newBuilder().setUseTimeskipping(false).build());
        Worker worker = environment.newWorker(QUEUE);
        worker.registerWorkflowImplementationTypes(CallsWorkflow.class);
        worker.registerActivitiesImplementations(new SameActivity());
        environment.start();
        client = environment.getWorkflowClient();
    }

    public static void main(String[] arguments) throws Exception {
        CallRuns.main(new TemporalProcess(), arguments);
    }

    @Override
    public String title() {
        return "Temporal test server";
    }

    @Override
    public CompletableFuture<Integer> call(int number) {
        return run(number, 1);
    }

    @Override
    public CompletableFuture<Integer> chain(int length) {
        return run(0, length);
    }

    private CompletableFuture<Integer> run(int number, int length) {
        Calls calls = client.newWorkflowStub(
                Calls.class, WorkflowOptions.newBuilder().setTaskQueue(QUEUE).build());
        return WorkflowClient.execute(calls::run, number, length);
    }

    @Override
    public int underWayMax() {
        return 100;
    }

    @Override
    public long otherCpuNanos() {
        return 0;
    }

    @Override
    public void close() {
        environment.close();
    }
}
