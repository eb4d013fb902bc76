/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.EnumSet;

/**
 * Writes the file that clients find the server by. It holds the token, so only its owner may ever read it: it is made
 * with that mode, then renamed.
 */
final class Kubeconfig {

    private static final String NAME = "ratchet-local";

    private Kubeconfig() {}

    static void write(Path file, String server, String authorityPem, String token) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (var channel = Files.newByteChannel(
                fresh, EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerOnly)) {
            channel.write(ByteBuffer.wrap(Json.bytes(content(server, authorityPem, token))));
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static ObjectNode content(String server, String authorityPem, String token) {
        ObjectNode config = Json.object();
        config.put("apiVersion", "v1").put("kind", "Config").put("current-context", NAME);
        config.putObject("preferences");
        config.putArray("clusters")
                .addObject()
                .put("name", NAME)
                .putObject("cluster")
                .put("server", server)
                .put(
                        "certificate-authority-data",
                        Base64.getEncoder().encodeToString(authorityPem.getBytes(StandardCharsets.US_ASCII)));
        config.putArray("users").addObject().put("name", NAME).putObject("user").put("token", token);
        config.putArray("contexts")
                .addObject()
                .put("name", NAME)
                .putObject("context")
                .put("cluster", NAME)
                .put("user", NAME)
                .put("namespace", "default");
        return config;
    }
}
