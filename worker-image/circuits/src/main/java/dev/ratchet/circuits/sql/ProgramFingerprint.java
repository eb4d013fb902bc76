/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import dev.ratchet.circuits.circuit.Plan;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** How programs are told apart, whatever they were written in. */
public final class ProgramFingerprint {

    private ProgramFingerprint() {}

    /** As {@link CompiledProgram#fingerprint}. */
    public static String of(Plan plan, List<Relation> tables, List<Relation> views) {
        StringBuilder known = new StringBuilder(plan.fingerprint()).append('\n');
        for (Relation table : tables) {
            known.append(table.name()).append(table.columns()).append('\n');
        }
        for (Relation view : views) {
            known.append(view.name()).append(view.columns()).append('\n');
        }
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(known.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java has no SHA-256", e);
        }
    }
}
