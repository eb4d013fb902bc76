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
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What {@code cluster.json} says of the slots that sessions take; follows its changes while the process runs. */
final class OfferedSlots {

    private static final Logger LOG = LoggerFactory.getLogger(OfferedSlots.class);
    private static final long PERIOD_MILLIS = 2_000;
    private static final JsonMapper MAPPER = new JsonMapper();

    private final Path file;
    private final SlotCapacity capacity;
    private String lastMistake = "";

    /** @throws IllegalArgumentException if it can not be used */
    OfferedSlots(Path configurationDirectory) {
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
            Map<String, Integer> slots = new TreeMap<>();
            for (Map.Entry<String, JsonNode> slot : document.path("slots").properties()) {
                slots.put(slot.getKey(), count(slot.getValue(), "slots." + slot.getKey()));
            }
            JsonNode sessions = document.path("sessions");
            capacity.change(
                    slots, sessions.isMissingNode() ? SlotCapacity.DEFAULT_SESSIONS : count(sessions, "sessions"));
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(file + " is not JSON: " + malformed.getOriginalMessage(), malformed);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("The slots for sessions can not be read: " + unreadable, unreadable);
        }
    }

    private int count(JsonNode node, String name) {
        if (!node.isInt()) {
            throw new IllegalArgumentException(file + ": " + name + " must be a whole number, it is " + node);
        }
        return node.intValue();
    }
}
