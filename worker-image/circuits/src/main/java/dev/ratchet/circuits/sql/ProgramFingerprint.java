/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** How programs are told apart, whatever they were written in. */
public final class ProgramFingerprint {

    private ProgramFingerprint() {}

    /** As {@link CompiledProgram#fingerprint}. */
    public static String of(CompiledProgram program) {
        StringBuilder known = new StringBuilder(program.plan().fingerprint()).append('\n');
        for (Relation table : program.tables()) {
            known.append(table.name()).append(table.columns()).append('\n');
        }
        for (Relation view : program.views()) {
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
