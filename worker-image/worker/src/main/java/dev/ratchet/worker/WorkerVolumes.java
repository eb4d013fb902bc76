/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ratchet.store.ClusterConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What {@code cluster.json} says of volumes: whether the data of a worker outlive its pod. It is said there and not by
 * a variable, which would be another pod template: pods of the former release could not be upgraded in place. An
 * operator of that release says nothing.
 */
final class WorkerVolumes {

    private static final JsonMapper MAPPER = new JsonMapper();

    private WorkerVolumes() {}

    /** @throws IllegalArgumentException naming the file and what is wrong with it */
    static boolean areTold(Path configurationDirectory) {
        Path file = configurationDirectory.resolve(ClusterConfiguration.FILE);
        try {
            return MAPPER.readTree(Files.readString(file)).path("volumes").asBoolean(false);
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(file + " is not JSON: " + malformed.getOriginalMessage(), malformed);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("What is said of volumes can not be read: " + unreadable, unreadable);
        }
    }
}
