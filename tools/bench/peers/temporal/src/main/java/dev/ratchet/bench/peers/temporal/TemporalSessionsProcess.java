/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.temporal;

import com.sun.management.OperatingSystemMXBean;
import dev.ratchet.bench.ClosedLoop;
import dev.ratchet.bench.Measurement;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;

/**
 * What a user of the Java SDK writes in the place of a session: an activity on the queue of all workers takes a place
 * on one of them and says which queue is that worker's own; another one, on that queue, gives the place back. Nobody
 * counts places across workers, and a worker that dies is found by a timeout.
 */
public final class TemporalSessionsProcess {

    private static final String QUEUE = "sessions";
    private static final int WORKERS = 4;
    private static final int CALLERS = 64;

    private TemporalSessionsProcess() {}

    /** On the queue of all workers. */
    @ActivityInterface
    public interface Taking {
        @ActivityMethod
        String take();
    }

    /** On the queue of one worker. */
    @ActivityInterface
    public interface Giving {
        @ActivityMethod
        void give();
    }

    /** The slots of one worker. */
    public record SlotActivities(String own) implements Taking, Giving {
        @Override
        public String take() {
            return own;
        }

        @Override
        public void give() {
            // A slot is nothing that must be written down.
        }
    }

    /** A session without anything in it. */
    @WorkflowInterface
    public interface OpenAndClose {
        @WorkflowMethod
        void run();
    }

    /** Runs in a worker. */
    public static final class OpenAndCloseWorkflow implements OpenAndClose {
        @Override
        public void run() {
            String own = Workflow.newActivityStub(Taking.class, options(QUEUE)).take();
            Workflow.newActivityStub(Giving.class, options(own)).give();
        }

        private static ActivityOptions options(String queue) {
            return ActivityOptions.newBuilder()
                    .setTaskQueue(queue)
                    .setScheduleToStartTimeout(Duration.ofSeconds(30))
                    .setStartToCloseTimeout(Duration.ofMinutes(1))
                    .build();
        }
    }

    /** Arguments: milliseconds of the line. */
    public static void main(String[] arguments) throws Exception {
        long millis = Long.parseLong(arguments[0]);
        TestWorkflowEnvironment environment = TestWorkflowEnvironment.newInstance(
                TestEnvironmentOptions.newBuilder().setUseTimeskipping(false).build());
        WorkflowClient client = environment.getWorkflowClient();
        List<WorkerFactory> factories = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            WorkerFactory factory = WorkerFactory.newInstance(client);
            String own = QUEUE + "-" + i;
            Worker shared = factory.newWorker(QUEUE);
            shared.registerWorkflowImplementationTypes(OpenAndCloseWorkflow.class);
            shared.registerActivitiesImplementations(new SlotActivities(own));
            factory.newWorker(own).registerActivitiesImplementations(new SlotActivities(own));
            factory.start();
            factories.add(factory);
        }
        WorkflowOptions options =
                WorkflowOptions.newBuilder().setTaskQueue(QUEUE).build();
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        ClosedLoop loop = new ClosedLoop(
                CALLERS,
                ForkJoinPool.commonPool(),
                system::getProcessCpuTime,
                () -> WorkflowClient.execute(client.newWorkflowStub(OpenAndClose.class, options)::run));
        Measurement line = Measurement.of(
                "Temporal test server",
                "queue of a worker taken and left",
                CALLERS,
                CALLERS,
                loop.run(millis, millis));
        System.out.println("result\t" + line.toText());
        factories.forEach(WorkerFactory::shutdownNow);
        environment.close();
        System.exit(0);
    }
}
