/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.model;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.RetryPolicy;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.protocol.futures.v1.FutureRecordOrBuilder;
import dev.ratchet.protocol.futures.v1.Locality;
import dev.ratchet.protocol.futures.v1.QueuePartition;
import dev.ratchet.protocol.futures.v1.Requirements;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import dev.ratchet.protocol.futures.v1.SessionBinding;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How users want futures to be treated, as messages; and where a record queues as a consequence. Pure. */
public final class SchedulingSpecs {

    /** Whom futures are accounted to whose scheduling spec names nobody. */
    public static final String DEFAULT_TENANT = "default";

    /** The class of {@link #DEFAULT_REQUIREMENTS}, which every worker meets. */
    public static final String DEFAULT_CLASS = "";

    /** What a future takes whose scheduling spec does not say it. */
    public static final Requirements DEFAULT_REQUIREMENTS =
            Requirements.newBuilder().setCpuMillis(1_000).build();

    /** Most items that a generator may be ahead of its readers. */
    public static final int ITEMS_AHEAD_MAX = 1_000_000;

    /** Most calls of one actor that may run beside each other. */
    public static final int CONCURRENT_CALLS_MAX = 64;

    private static final int CLASS_BYTES = 8;

    private SchedulingSpecs() {}

    /** What the options say, without what they leave at its default. */
    public static SchedulingSpec of(SubmitOptions options) {
        SchedulingSpec.Builder schedulingSpec = SchedulingSpec.newBuilder()
                .setTenant(options.tenant().equals(DEFAULT_TENANT) ? "" : options.tenant())
                .setPriority(options.priority())
                .setDelayMillis(options.delay().toMillis())
                .setAttemptTimeoutMillis(options.attemptTimeout().toMillis())
                .setShortTask(options.shortTask())
                .setNoReconstruction(!options.allowReconstruction() || mustNotBeRepeated(options))
                .setIsolated(options.isolated())
                .setExternalEffects(options.externalEffects());
        options.retention().ifPresent(retention -> schedulingSpec.setRetentionMillis(retention.toMillis()));
        if (!options.requirements().equals(dev.ratchet.client.Requirements.defaults())) {
            schedulingSpec.setRequirements(requirements(options.requirements()));
        }
        if (!options.retries().withMaxRetries(0).equals(RetryPolicy.defaults().withMaxRetries(0))) {
            schedulingSpec.setRetries(retries(options.retries()));
        }
        options.session()
                .ifPresent(session -> schedulingSpec.setSession(SessionBinding.newBuilder()
                        .setId(Ids.bytes(new FutureId(session.id())))
                        .setSecret(ByteString.copyFrom(session.secret()))));
        if (!options.locality().equals(dev.ratchet.client.Locality.anywhere())) {
            schedulingSpec.setLocality(locality(options.locality()));
        }
        return schedulingSpec.build();
    }

    /** Computing a lost result again is running the task again. */
    private static boolean mustNotBeRepeated(SubmitOptions options) {
        return options.externalEffects() && options.retries().maxRetries() == 0;
    }

    /** Whether it may run on the seat that it names, and nowhere else. */
    public static boolean isBound(FutureRecordOrBuilder record) {
        Locality locality = record.getSchedulingSpec().getLocality();
        return locality.getRequired() && !locality.hasNear();
    }

    /** What is wrong with a scheduling spec that comes from outside, if anything is. */
    public static Optional<String> problem(SchedulingSpec schedulingSpec) {
        if (Math.abs(schedulingSpec.getPriority()) > SubmitOptions.PRIORITY_MAX) {
            return Optional.of("The priority must be " + -SubmitOptions.PRIORITY_MAX + " to "
                    + SubmitOptions.PRIORITY_MAX + ", and is " + schedulingSpec.getPriority() + ".");
        }
        if (schedulingSpec.getTenant().length() > SubmitOptions.TENANT_LENGTH_MAX) {
            return Optional.of("A tenant has at most " + SubmitOptions.TENANT_LENGTH_MAX + " characters.");
        }
        for (long millis : new long[] {
            schedulingSpec.getDelayMillis(),
            schedulingSpec.getAttemptTimeoutMillis(),
            schedulingSpec.getRetentionMillis()
        }) {
            if (millis < 0 || millis > SubmitOptions.DURATION_MAX.toMillis()) {
                return Optional.of("Delay, attempt timeout and retention are 0 to "
                        + SubmitOptions.DURATION_MAX.toMillis() + " ms, and not " + millis + ".");
            }
        }
        if (schedulingSpec.getItemsAhead() < 0 || schedulingSpec.getItemsAhead() > ITEMS_AHEAD_MAX) {
            return Optional.of("A generator may be 1 to " + ITEMS_AHEAD_MAX + " items ahead of its readers, and not "
                    + schedulingSpec.getItemsAhead() + ".");
        }
        if (schedulingSpec.getConcurrentCallsMax() < 0
                || schedulingSpec.getConcurrentCallsMax() > CONCURRENT_CALLS_MAX) {
            return Optional.of("Of the calls of an actor 1 to " + CONCURRENT_CALLS_MAX
                    + " may run beside each other, and not " + schedulingSpec.getConcurrentCallsMax() + ".");
        }
        if (schedulingSpec.getShortTask() && schedulingSpec.getExternalEffects()) {
            return Optional.of("A task with external effects is recorded before it runs: it can not be a short one.");
        }
        Requirements requirements = schedulingSpec.getRequirements();
        try {
            var unused = new dev.ratchet.client.Requirements(
                    requirements.getCpuMillis(),
                    requirements.getMemoryBytes(),
                    requirements.getGpuMillis(),
                    requirements.getCustomMap(),
                    requirements.getWaitForCapacity());
        } catch (InvalidInputException refused) {
            return Optional.ofNullable(refused.getMessage());
        }
        if (schedulingSpec.getRetries().getRetryOnCount() > RetryPolicy.TYPES_MAX
                || schedulingSpec.getRetries().getFailOnCount() > RetryPolicy.TYPES_MAX) {
            return Optional.of("A retry policy has at most " + RetryPolicy.TYPES_MAX + " class names in each list.");
        }
        return Optional.empty();
    }

    /** What the future takes while it runs. */
    public static Requirements requirements(FutureRecordOrBuilder record) {
        if (record.hasRaisedRequirements()) {
            return record.getRaisedRequirements();
        }
        return record.getSchedulingSpec().hasRequirements()
                ? record.getSchedulingSpec().getRequirements()
                : DEFAULT_REQUIREMENTS;
    }

    /** Where the future queues. */
    public static QueuePartition partition(FutureRecordOrBuilder record) {
        return QueuePartition.newBuilder()
                .setRequirementClass(requirementClass(requirements(record)))
                .setBand(-record.getSchedulingSpec().getPriority())
                .setTenant(tenant(record))
                .build();
    }

    /** Whom the future is accounted to. */
    public static String tenant(FutureRecordOrBuilder record) {
        String named = record.getSchedulingSpec().getTenant();
        return named.isEmpty() ? DEFAULT_TENANT : named;
    }

    /** The id of all requirements that are met by the same workers: their content's hash. */
    public static String requirementClass(Requirements requirements) {
        Requirements amounts = amounts(requirements);
        if (amounts.equals(DEFAULT_REQUIREMENTS)) {
            return DEFAULT_CLASS;
        }
        Map<String, Long> custom = new TreeMap<>(amounts.getCustomMap());
        String text =
                amounts.getCpuMillis() + " " + amounts.getMemoryBytes() + " " + amounts.getGpuMillis() + " " + custom;
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, CLASS_BYTES);
        } catch (NoSuchAlgorithmException unschedulable) {
            throw new IllegalStateException("Every Java has SHA-256", unschedulable);
        }
    }

    /** The requirements without what does not decide who meets them. */
    public static Requirements amounts(Requirements requirements) {
        return requirements.getWaitForCapacity()
                ? requirements.toBuilder().clearWaitForCapacity().build()
                : requirements;
    }

    private static Requirements requirements(dev.ratchet.client.Requirements requirements) {
        return Requirements.newBuilder()
                .setCpuMillis(requirements.cpuMillis())
                .setMemoryBytes(requirements.memoryBytes())
                .setGpuMillis(requirements.gpuMillis())
                .putAllCustom(requirements.custom())
                .setWaitForCapacity(requirements.waitForCapacity())
                .build();
    }

    private static dev.ratchet.protocol.futures.v1.RetryPolicy retries(RetryPolicy policy) {
        return dev.ratchet.protocol.futures.v1.RetryPolicy.newBuilder()
                .setFirstDelayMillis(policy.firstDelay().toMillis())
                .setMultiplierPercent((int) Math.round(policy.multiplier() * 100))
                .setDelayMillisMax(policy.maxDelay().toMillis())
                .addAllRetryOn(policy.retryOn())
                .addAllFailOn(policy.failOn())
                .setMemoryPercent((int) Math.round(policy.memoryFactor() * 100))
                .build();
    }

    private static Locality locality(dev.ratchet.client.Locality locality) {
        Locality.Builder message = Locality.newBuilder().setRequired(locality.required());
        locality.near().ifPresent(near -> message.setNear(Ids.bytes(near)));
        locality.seat().ifPresent(message::setSeat);
        return message.build();
    }
}
