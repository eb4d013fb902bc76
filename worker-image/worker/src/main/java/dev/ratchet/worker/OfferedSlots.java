/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ratchet.environment.Environment;
import dev.ratchet.futures.session.SlotCapacity;
import dev.ratchet.store.ClusterConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What {@code cluster.json} says of the slots that sessions take; follows its changes while the process runs. */
final class OfferedSlots {

    private static final Logger LOG = LoggerFactory.getLogger(OfferedSlots.class);
    private static final long PERIOD_MILLIS = 2_000;
    private static final JsonMapper MAPPER = new JsonMapper();

    private final Path file;
    private final Set<String> ofTasks;
    private final SlotCapacity capacity;
    private String lastMistake = "";

    /**
     * @param ofTasks names of resources that tasks require, which no slots may have
     * @throws IllegalArgumentException if it can not be used
     */
    OfferedSlots(Path configurationDirectory, Set<String> ofTasks) {
        this.ofTasks = Set.copyOf(ofTasks);
        this.file = configurationDirectory.resolve(ClusterConfiguration.FILE);
        this.capacity = SlotCapacity.standard();
        read();
    }

    /** What is in force; changes with the file. */
    SlotCapacity capacity() {
        return capacity;
    }

    /** @param changed called after each change */
    void follow(Environment environment, Runnable changed) {
        environment.schedule(PERIOD_MILLIS, () -> {
            follow(environment, changed);
            Map<String, Integer> before = capacity.counts();
            look();
            if (!capacity.counts().equals(before)) {
                changed.run();
            }
        });
    }

    void look() {
        try {
            Map<String, Integer> before = capacity.counts();
            read();
            lastMistake = "";
            if (!capacity.counts().equals(before)) {
                LOG.info("Slots for sessions from now on: {}", capacity.counts());
            }
        } catch (IllegalArgumentException unusable) {
            String mistake = String.valueOf(unusable.getMessage());
            if (!mistake.equals(lastMistake)) {
                lastMistake = mistake;
                LOG.warn("The slots for sessions can not be used, the former stay in force: {}", mistake);
            }
        }
    }

    private void read() {
        try {
            JsonNode document = MAPPER.readTree(Files.readString(file));
            Map<String, Integer> slots = counts(document, "slots");
            Map<String, Integer> hostSlots = counts(document, "hostSlots");
            JsonNode sessions = document.path("sessions");
            capacity.change(
                    slots,
                    hostSlots,
                    sessions.isMissingNode() ? SlotCapacity.DEFAULT_SESSIONS : count(sessions, "sessions"));
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(file + " is not JSON: " + malformed.getOriginalMessage(), malformed);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("The slots for sessions can not be read: " + unreadable, unreadable);
        }
    }

    /** A task that takes an amount of it and a session that holds it would not know of each other. */
    private Map<String, Integer> counts(JsonNode document, String field) {
        Map<String, Integer> counts = new TreeMap<>();
        for (Map.Entry<String, JsonNode> slot : document.path(field).properties()) {
            if (ofTasks.contains(slot.getKey())) {
                throw new IllegalArgumentException(file + ": " + field + "." + slot.getKey()
                        + " is the name of a resource that tasks require (RATCHET_RESOURCES), too. What a session holds"
                        + " exclusively must have another name; tasks that need it run in a session.");
            }
            counts.put(slot.getKey(), count(slot.getValue(), field + "." + slot.getKey()));
        }
        return counts;
    }

    private int count(JsonNode node, String name) {
        if (!node.isInt()) {
            throw new IllegalArgumentException(file + ": " + name + " must be a whole number, it is " + node);
        }
        return node.intValue();
    }
}
