/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.openapi;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes one protobuf message field by field, without generated code; empty values are left out, as in proto3. */
final class ProtoWriter {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CodedOutputStream out = CodedOutputStream.newInstance(bytes);

    ProtoWriter text(int field, String value) {
        try {
            if (!value.isEmpty()) {
                out.writeString(field, value);
            }
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException("a byte array can not be written to", e);
        }
    }

    /** A message, written even when it is empty: its presence says something. */
    ProtoWriter message(int field, ProtoWriter value) {
        try {
            out.writeByteArray(field, value.toBytes());
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException("a byte array can not be written to", e);
        }
    }

    ProtoWriter flag(int field, boolean value) {
        try {
            out.writeBool(field, value);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException("a byte array can not be written to", e);
        }
    }

    byte[] toBytes() {
        try {
            out.flush();
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("a byte array can not be written to", e);
        }
    }
}
