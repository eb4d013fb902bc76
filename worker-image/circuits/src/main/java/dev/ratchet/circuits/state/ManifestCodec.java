/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import dev.ratchet.circuits.batch.HashRange;
import dev.ratchet.circuits.type.FormatNumbers;
import dev.ratchet.circuits.type.RowHash;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.SchemaCodec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A manifest as bytes, big-endian: "RSTA", format u32, hash id u32, then version, record, origin, files and tables, at
 * the end the CRC-32C of all before. Files have origin, number, length and digest; tables name them by their place in
 * the list. Texts and arrays are preceded by their length, lists by their count. Equal manifests have equal bytes.
 * Format 1, which is read and not written, has no origins and digests, and its tables name files by number.
 */
final class ManifestCodec {

    /** One is written into each manifest. A reader refuses what it does not know and names all numbers. */
    private static final FormatNumbers FORMAT = new FormatNumbers(1, 2, 1);

    private static final int WITHOUT_DIGESTS = 1;

    private static final int MAGIC = 0x52535441;
    private static final int HEAD = 12;
    private static final int CHECKSUM = 4;

    private ManifestCodec() {}

    static byte[] encode(Manifest manifest, int level) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(MAGIC);
            out.writeInt(FORMAT.at(level));
            out.writeInt(RowHash.ID);
            out.writeLong(manifest.version());
            writeRecord(out, manifest.record());
            out.writeLong(manifest.origin());
            out.writeInt(manifest.files().size());
            for (Map.Entry<Long, Manifest.StoredFile> file : manifest.files().entrySet()) {
                out.writeLong(manifest.origin());
                out.writeLong(file.getKey());
                out.writeLong(file.getValue().length());
                out.writeBoolean(file.getValue().digest().isPresent());
                out.writeLong(file.getValue().digest().orElse(0));
            }
            List<Long> numbers = List.copyOf(manifest.files().keySet());
            out.writeInt(manifest.tables().size());
            for (Map.Entry<String, Manifest.Table> table : manifest.tables().entrySet()) {
                writeText(out, table.getKey());
                writeTable(out, table.getValue(), numbers);
            }
            out.flush();
            out.writeInt(checksum(bytes.toByteArray(), bytes.size()));
        } catch (IOException e) {
            throw new UncheckedIOException("An array takes all bytes", e);
        }
        return bytes.toByteArray();
    }

    /**
     * The manifest in these bytes.
     *
     * @param name of the file, for errors
     * @throws CorruptStateException where they are none of a known format
     */
    static Manifest decode(byte[] bytes, String name) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (bytes.length < HEAD + CHECKSUM || in.readInt() != MAGIC) {
                throw damaged(name, "is no manifest");
            }
            int format = in.readInt();
            int hash = in.readInt();
            if (!FORMAT.reads(format) || hash != RowHash.ID) {
                throw new CorruptStateException(name + " has format " + format + " and hash " + hash
                        + ", this release reads " + FORMAT + " and " + RowHash.ID + "; use the release that wrote it");
            }
            DataInputStream end =
                    new DataInputStream(new ByteArrayInputStream(bytes, bytes.length - CHECKSUM, CHECKSUM));
            if (end.readInt() != checksum(bytes, bytes.length - CHECKSUM)) {
                throw damaged(name, "does not match its checksum");
            }
            long version = in.readLong();
            StateRecord record = readRecord(in);
            long origin = format == WITHOUT_DIGESTS ? 0 : in.readLong();
            SortedMap<Long, Manifest.StoredFile> files = new TreeMap<>();
            for (int count = in.readInt(); count > 0; count--) {
                readFile(in, format, origin, files, name);
            }
            List<Long> numbers = format == WITHOUT_DIGESTS ? null : List.copyOf(files.keySet());
            SortedMap<String, Manifest.Table> tables = new TreeMap<>();
            for (int count = in.readInt(); count > 0; count--) {
                tables.put(readText(in), readTable(in, numbers));
            }
            return new Manifest(version, record, origin, tables, files);
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new CorruptStateException(name + " can not be read: " + e, e);
        }
    }

    private static void readFile(
            DataInputStream in, int format, long origin, SortedMap<Long, Manifest.StoredFile> files, String name)
            throws IOException {
        long fileOrigin = format == WITHOUT_DIGESTS ? origin : in.readLong();
        long number = in.readLong();
        long length = in.readLong();
        boolean isKnown = format != WITHOUT_DIGESTS && in.readBoolean();
        long digest = format == WITHOUT_DIGESTS ? 0 : in.readLong();
        if (fileOrigin != origin) {
            throw new CorruptStateException(name + " of database " + Long.toHexString(origin) + " has file " + number
                    + " of database " + Long.toHexString(fileOrigin)
                    + ", which this release does not take over; use the release that wrote it");
        }
        files.put(number, new Manifest.StoredFile(length, isKnown ? OptionalLong.of(digest) : OptionalLong.empty()));
    }

    private static void writeRecord(DataOutputStream out, StateRecord record) throws IOException {
        out.writeLong(record.step());
        writeText(out, record.fingerprint());
        writeBytes(out, record.layout());
        out.writeInt(record.attributes().size());
        for (Map.Entry<String, String> attribute : new TreeMap<>(record.attributes()).entrySet()) {
            writeText(out, attribute.getKey());
            writeText(out, attribute.getValue());
        }
    }

    private static StateRecord readRecord(DataInputStream in) throws IOException {
        long step = in.readLong();
        String fingerprint = readText(in);
        byte[] layout = readBytes(in);
        Map<String, String> attributes = new TreeMap<>();
        for (int count = in.readInt(); count > 0; count--) {
            attributes.put(readText(in), readText(in));
        }
        return new StateRecord(step, fingerprint, layout, attributes);
    }

    private static void writeTable(DataOutputStream out, Manifest.Table table, List<Long> files) throws IOException {
        writeBytes(out, SchemaCodec.encode(table.schema()));
        out.writeInt(table.entries().size());
        for (Manifest.Entry entry : table.entries()) {
            out.writeInt(Collections.binarySearch(files, entry.file()));
            out.writeLong(entry.position());
            out.writeLong(entry.length());
            out.writeLong(entry.rows());
            out.writeLong(entry.range().first());
            out.writeLong(entry.range().last());
        }
    }

    private static Manifest.Table readTable(DataInputStream in, @Nullable List<Long> files) throws IOException {
        RowSchema schema = SchemaCodec.decode(readBytes(in));
        List<Manifest.Entry> entries = new ArrayList<>();
        for (int count = in.readInt(); count > 0; count--) {
            long file = files == null ? in.readLong() : files.get(Objects.checkIndex(in.readInt(), files.size()));
            entries.add(new Manifest.Entry(
                    file, in.readLong(), in.readLong(), in.readLong(), new HashRange(in.readLong(), in.readLong())));
        }
        return new Manifest.Table(schema, List.copyOf(entries));
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
    }

    private static String readText(DataInputStream in) throws IOException {
        return new String(readBytes(in), StandardCharsets.UTF_8);
    }

    private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("a length of " + length + " where " + in.available() + " bytes follow");
        }
        return in.readNBytes(length);
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    private static CorruptStateException damaged(String name, String what) {
        return new CorruptStateException(
                name + " " + what + "; open the other version, or take the state from another copy");
    }
}
