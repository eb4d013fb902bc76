/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.type.SchemaCodec;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Stable ids of nodes: a digest of kind, description, schema and the ids of the inputs, so that a node keeps its id,
 * and finds its state again, whatever else changes in the program. Nodes that are alike are numbered in their order.
 */
final class NodeIds {

    private static final int ID_BYTES = 8;

    private NodeIds() {}

    static List<String> of(List<Node> nodes) {
        List<String> ids = new ArrayList<>();
        Map<String, Integer> uses = new HashMap<>();
        for (Node node : nodes) {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            write(text, node.kind().getBytes(StandardCharsets.UTF_8));
            write(text, node.description().getBytes(StandardCharsets.UTF_8));
            write(text, SchemaCodec.encode(node.nameSchema()));
            for (Node input : node.inputs()) {
                Node of = node.isUnnamed() ? input : input.named();
                write(text, ids.get(of.number()).getBytes(StandardCharsets.UTF_8));
            }
            String id = node.kind() + "-" + digest(text.toByteArray());
            int use = uses.merge(id, 1, Integer::sum);
            ids.add(use == 1 ? id : id + "-" + use);
        }
        return ids;
    }

    static String fingerprint(List<String> ids) {
        return digest(String.join("\n", ids).getBytes(StandardCharsets.UTF_8));
    }

    private static void write(ByteArrayOutputStream out, byte[] bytes) {
        out.writeBytes((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
        out.writeBytes(bytes);
    }

    private static String digest(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(digest, 0, ID_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java lacks SHA-256, which every Java must have", e);
        }
    }
}
