/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.kubectl;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.client.InvalidInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The user's {@code kubectl}, with the options that say which cluster of Kubernetes and which namespace is meant.
 *
 * @param options such as {@code --context=test}, given with every call
 */
public record Kubectl(List<String> options) {

    /**
     * What a command prints, as JSON.
     *
     * @throws InvalidInputException if it fails, with what it said
     */
    public JsonNode json(String... words) {
        List<String> command = new ArrayList<>(List.of(words));
        command.addAll(List.of("-o", "json"));
        String printed = run(command);
        try {
            return new ObjectMapper().readTree(printed);
        } catch (JsonProcessingException notJson) {
            throw new InvalidInputException(
                    "kubectl " + String.join(" ", words) + " did not print JSON: " + notJson.getOriginalMessage(),
                    notJson);
        }
    }

    private String run(List<String> words) {
        try {
            Process process = start(words);
            process.getOutputStream().close();
            CompletableFuture<String> errors = CompletableFuture.supplyAsync(() -> {
                try {
                    return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
                } catch (IOException gone) {
                    return gone.toString();
                }
            });
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code != 0) {
                throw new InvalidInputException("kubectl " + String.join(" ", words) + " ended with " + code + ": "
                        + errors.join().strip());
            }
            return printed;
        } catch (IOException failed) {
            throw new InvalidInputException("kubectl could not be asked: " + failed.getMessage(), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InvalidInputException("Interrupted while waiting for kubectl", interrupted);
        }
    }

    /** Starts a command that goes on. */
    Process start(List<String> words) throws IOException {
        List<String> line = new ArrayList<>(List.of("kubectl"));
        line.addAll(words);
        line.addAll(options);
        try {
            return new ProcessBuilder(line).start();
        } catch (IOException missing) {
            throw new InvalidInputException(
                    "kubectl can not be started (" + missing.getMessage() + "). Is it on the PATH?", missing);
        }
    }
}
