/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.status;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.Names;
import dev.ratchet.operator.observe.NamespaceTermination;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the Events of a cluster: one per transition of a condition that people care about. The status before is what
 * they are told apart by, so a restart repeats none. An Event that can not be written is not worth failing for.
 */
public final class EventRecorder {
    private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);
    private static final int MESSAGE_LENGTH_MAX = 1000;
    /** Of a circuit that nobody has heard of yet. */
    private static final Set<String> BEGINNING =
            Set.of(Reason.STARTING.word(), Reason.WAITING_FOR_LAYOUT.word(), Reason.COORDINATOR_UNREACHABLE.word());

    private final KubernetesClient client;
    private final String instance;

    /** A recorder for the operator in pod {@code instance}. */
    public EventRecorder(KubernetesClient client, String instance) {
        this.client = client;
        this.instance = instance;
    }

    /** Tells the transitions from {@code before} to {@code after}. */
    public void record(ComputeCluster cluster, List<Condition> before, List<Condition> after, Instant now) {
        news(before, after).forEach(condition -> write(event(cluster, condition, now)));
    }

    /** Conditions to tell of; what two of them say in the same words is told once. */
    static List<Condition> news(List<Condition> before, List<Condition> after) {
        Map<String, Condition> told = new LinkedHashMap<>();
        for (Condition condition : after) {
            if (isNews(Conditions.find(before, condition.getType()), condition)) {
                told.putIfAbsent(condition.getReason() + ": " + condition.getMessage(), condition);
            }
        }
        return List.copyOf(told.values());
    }

    /** A first status that says that all is well, or that nothing is ready yet, is no news. */
    private static boolean isNews(Optional<Condition> old, Condition now) {
        boolean bad = isBad(now);
        boolean progress = now.getType().equals(ConditionType.PROGRESSING);
        boolean changed = old.isEmpty()
                || (progress && !String.valueOf(old.get().getMessage()).equals(now.getMessage()))
                || !old.get().getStatus().equals(now.getStatus())
                || (bad && !String.valueOf(old.get().getReason()).equals(now.getReason()));
        if (!changed) {
            return false;
        }
        return switch (now.getType()) {
            case ConditionType.ACCEPTED -> bad || old.isPresent();
            case ConditionType.CIRCUIT_RUNNING -> !BEGINNING.contains(now.getReason());
            case ConditionType.READY ->
                !bad || old.filter(was -> "True".equals(was.getStatus())).isPresent();
            case ConditionType.DEGRADED,
                    ConditionType.CLEANUP_BLOCKED,
                    ConditionType.UPGRADE_BLOCKED,
                    ConditionType.SESSIONS_BLOCKED,
                    ConditionType.STATE_NOT_DURABLE -> bad;
            case ConditionType.PROGRESSING -> isUpgrade(now.getReason());
            default -> false;
        };
    }

    private static boolean isUpgrade(String reason) {
        return reason.equals(Reason.UPGRADING.word()) || reason.equals(Reason.ROLLING_BACK.word());
    }

    private static boolean isBad(Condition condition) {
        boolean positive = condition.getType().equals(ConditionType.ACCEPTED)
                || condition.getType().equals(ConditionType.PROGRESSING)
                || condition.getType().equals(ConditionType.CIRCUIT_RUNNING)
                || condition.getType().equals(ConditionType.READY);
        return positive != "True".equals(condition.getStatus());
    }

    private Event event(ComputeCluster cluster, Condition condition, Instant now) {
        String message =
                condition.getMessage() == null || condition.getMessage().isEmpty()
                        ? condition.getType() + " is " + condition.getStatus()
                        : condition.getMessage();
        String time = Conditions.time(now);
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace(cluster.getMetadata().getNamespace())
                .withName(cluster.getMetadata().getName() + "."
                        + Long.toHexString(
                                now.toEpochMilli() * 1000 + condition.getType().hashCode() % 1000))
                .endMetadata()
                .withType(isBad(condition) ? "Warning" : "Normal")
                .withReason(condition.getReason())
                .withMessage(message.substring(0, Math.min(message.length(), MESSAGE_LENGTH_MAX)))
                .withNewInvolvedObject()
                .withApiVersion(Names.GROUP + "/" + Names.VERSION)
                .withKind("ComputeCluster")
                .withNamespace(cluster.getMetadata().getNamespace())
                .withName(cluster.getMetadata().getName())
                .withUid(cluster.getMetadata().getUid())
                .endInvolvedObject()
                .withNewSource()
                .withComponent("ratchet-operator")
                .endSource()
                .withReportingComponent("ratchet-operator")
                .withReportingInstance(instance)
                .withFirstTimestamp(time)
                .withLastTimestamp(time)
                .withCount(1)
                .build();
    }

    private void write(Event event) {
        try {
            client.v1().events().resource(event).create();
        } catch (KubernetesClientException refused) {
            if (NamespaceTermination.isCauseOf(refused)) {
                LOG.debug("event {} was not written, the namespace is being deleted", event.getReason());
                return;
            }
            LOG.warn("event {} was not written: {}", event.getReason(), refused.getMessage());
        }
    }
}
