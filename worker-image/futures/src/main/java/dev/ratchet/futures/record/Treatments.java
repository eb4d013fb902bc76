/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.RetryPolicy;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.protocol.futures.v1.FutureRecordOrBuilder;
import dev.ratchet.protocol.futures.v1.Lane;
import dev.ratchet.protocol.futures.v1.Locality;
import dev.ratchet.protocol.futures.v1.Requirements;
import dev.ratchet.protocol.futures.v1.SessionBinding;
import dev.ratchet.protocol.futures.v1.Treatment;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How users want futures to be treated, as messages; and where a record queues as a consequence. Pure. */
public final class Treatments {

    /** Whom futures are accounted to whose treatment names nobody. */
    public static final String DEFAULT_TENANT = "default";

    /** The class of {@link #DEFAULT_REQUIREMENTS}, which every worker meets. */
    public static final String DEFAULT_CLASS = "";

    /** What a future takes whose treatment does not say it. */
    public static final Requirements DEFAULT_REQUIREMENTS =
            Requirements.newBuilder().setCpuMillis(1_000).build();

    /** Most items that a generator may be ahead of its readers. */
    public static final int ITEMS_AHEAD_MAX = 1_000_000;

    /** Most calls of one actor that may run beside each other. */
    public static final int CONCURRENT_CALLS_MAX = 64;

    private static final int CLASS_BYTES = 8;

    private Treatments() {}

    /** What the options say, without what they leave at its default. */
    public static Treatment of(SubmitOptions options) {
        Treatment.Builder treatment = Treatment.newBuilder()
                .setTenant(options.tenant().equals(DEFAULT_TENANT) ? "" : options.tenant())
                .setPriority(options.priority())
                .setDelayMillis(options.delay().toMillis())
                .setAttemptTimeoutMillis(options.attemptTimeout().toMillis())
                .setShortTask(options.shortTask())
                .setNoReconstruction(!options.allowReconstruction())
                .setIsolated(options.isolated())
                .setExternalEffects(options.externalEffects());
        options.retention().ifPresent(retention -> treatment.setRetentionMillis(retention.toMillis()));
        if (!options.requirements().equals(dev.ratchet.client.Requirements.defaults())) {
            treatment.setRequirements(requirements(options.requirements()));
        }
        if (!options.retries().withMaxRetries(0).equals(RetryPolicy.defaults().withMaxRetries(0))) {
            treatment.setRetries(retries(options.retries()));
        }
        options.session()
                .ifPresent(session -> treatment.setSession(SessionBinding.newBuilder()
                        .setId(Ids.bytes(new FutureId(session.id())))
                        .setSecret(ByteString.copyFrom(session.secret()))));
        if (!options.locality().equals(dev.ratchet.client.Locality.anywhere())) {
            treatment.setLocality(locality(options.locality()));
        }
        return treatment.build();
    }

    /** What is wrong with a treatment that comes from outside, if anything is. */
    public static Optional<String> problem(Treatment treatment) {
        if (Math.abs(treatment.getPriority()) > SubmitOptions.PRIORITY_MAX) {
            return Optional.of("The priority must be " + -SubmitOptions.PRIORITY_MAX + " to "
                    + SubmitOptions.PRIORITY_MAX + ", and is " + treatment.getPriority() + ".");
        }
        if (treatment.getTenant().length() > SubmitOptions.TENANT_LENGTH_MAX) {
            return Optional.of("A tenant has at most " + SubmitOptions.TENANT_LENGTH_MAX + " characters.");
        }
        for (long millis : new long[] {
            treatment.getDelayMillis(), treatment.getAttemptTimeoutMillis(), treatment.getRetentionMillis()
        }) {
            if (millis < 0 || millis > SubmitOptions.DURATION_MAX.toMillis()) {
                return Optional.of("Delay, attempt timeout and retention are 0 to "
                        + SubmitOptions.DURATION_MAX.toMillis() + " ms, and not " + millis + ".");
            }
        }
        if (treatment.getItemsAhead() < 0 || treatment.getItemsAhead() > ITEMS_AHEAD_MAX) {
            return Optional.of("A generator may be 1 to " + ITEMS_AHEAD_MAX + " items ahead of its readers, and not "
                    + treatment.getItemsAhead() + ".");
        }
        if (treatment.getConcurrentCallsMax() < 0 || treatment.getConcurrentCallsMax() > CONCURRENT_CALLS_MAX) {
            return Optional.of("Of the calls of an actor 1 to " + CONCURRENT_CALLS_MAX
                    + " may run beside each other, and not " + treatment.getConcurrentCallsMax() + ".");
        }
        if (treatment.getShortTask() && treatment.getExternalEffects()) {
            return Optional.of("A task with external effects is recorded before it runs: it can not be a short one.");
        }
        Requirements requirements = treatment.getRequirements();
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
        if (treatment.getRetries().getRetryOnCount() > RetryPolicy.TYPES_MAX
                || treatment.getRetries().getFailOnCount() > RetryPolicy.TYPES_MAX) {
            return Optional.of("A retry policy has at most " + RetryPolicy.TYPES_MAX + " class names in each list.");
        }
        return Optional.empty();
    }

    /** What the future takes while it runs. */
    public static Requirements requirements(FutureRecordOrBuilder record) {
        if (record.hasRaisedRequirements()) {
            return record.getRaisedRequirements();
        }
        return record.getTreatment().hasRequirements() ? record.getTreatment().getRequirements() : DEFAULT_REQUIREMENTS;
    }

    /** Where the future queues. */
    public static Lane lane(FutureRecordOrBuilder record) {
        return Lane.newBuilder()
                .setRequirementClass(requirementClass(requirements(record)))
                .setBand(-record.getTreatment().getPriority())
                .setTenant(tenant(record))
                .build();
    }

    /** Whom the future is accounted to. */
    public static String tenant(FutureRecordOrBuilder record) {
        String named = record.getTreatment().getTenant();
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
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java has SHA-256", impossible);
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
