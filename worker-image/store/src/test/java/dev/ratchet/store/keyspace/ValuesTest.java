/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import dev.ratchet.protocol.store.v1.StoreIdentity;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ValuesTest {

    private final ValueCodec<StoreIdentity> codec = Values.message(3, 2, StoreIdentity.parser());
    private final StoreIdentity identity =
            StoreIdentity.newBuilder().setStoreId("ab").setFormat(1).build();

    @Test
    void theBytesOfAMessageArePinned() {
        assertThat(HexFormat.of().formatHex(codec.encode(identity, 2))).isEqualTo("030a0261621001");
        assertThat(codec.decode(codec.encode(identity, 2))).isEqualTo(identity);
        assertThat(codec.describe(identity)).isEqualTo("store_id: \"ab\" format: 1");
    }

    @Test
    void theFormatBeforeIsReadAndOthersAreRefusedWithBothNumbers() {
        byte[] bytes = codec.encode(identity, 2);
        bytes[0] = 2;
        assertThat(codec.decode(bytes)).isEqualTo(identity);
        for (byte foreign : new byte[] {0, 1, 4, -1}) {
            bytes[0] = foreign;
            assertThatThrownBy(() -> codec.decode(bytes))
                    .isInstanceOf(ValueFormatException.class)
                    .hasMessageContaining("format " + foreign)
                    .hasMessageContaining("2 to 3");
        }
        assertThatThrownBy(() -> codec.decode(new byte[0])).isInstanceOf(ValueFormatException.class);
        assertThatThrownBy(() -> codec.decode(new byte[] {3, 9})).isInstanceOf(ValueFormatException.class);
    }

    @Test
    void aFormIsWrittenFromItsLevelOnAndTheOneOfBeforeUntilThen() {
        Keyspace keyspace = new Keyspace("team-a/orders");
        Table<StoreIdentity> table = TableSchema.of("store", "test", codec).in(keyspace);
        byte[] before = table.encode(identity);
        assertThat(before[0]).isEqualTo((byte) 2);
        keyspace.formats().seen(2);
        byte[] after = table.encode(identity);
        assertThat(after[0]).isEqualTo((byte) 3);
        assertThat(table.decode(before)).isEqualTo(table.decode(after));
        keyspace.formats().seen(1);
        assertThat(table.encode(identity)).as("the level never falls").isEqualTo(after);
    }

    @Test
    void fieldsOfALaterReleaseSurvive() {
        StoreIdentity later = identity.toBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(99, Field.newBuilder().addVarint(7).build())
                        .build())
                .build();
        StoreIdentity rewritten =
                codec.decode(codec.encode(later, 2)).toBuilder().setFormat(2).build();
        assertThat(codec.decode(codec.encode(rewritten, 2))
                        .getUnknownFields()
                        .getField(99)
                        .getVarintList())
                .containsExactly(7L);
    }

    @Test
    void countersAreLittleEndian() {
        assertThat(HexFormat.of().formatHex(Values.counter().encode(258L, 1))).isEqualTo("0201000000000000");
        assertThat(Values.counter().decode(Values.counter().encode(-5L, 1))).isEqualTo(-5);
        assertThatThrownBy(() -> Values.counter().decode(new byte[4])).isInstanceOf(ValueFormatException.class);
    }

    @Test
    void aVersionstampOperandNamesThePlaceOfTheStamp() {
        byte[] operand = Versionstamps.operand(new byte[] {7}, Tuple.from("q", 1), 2, Tuple.from("z"));
        int position = operand[operand.length - 4];
        assertThat(position).isEqualTo(1 + Tuple.from("q", 1).pack().length + 1);
        byte[] stamp = new byte[10];
        stamp[9] = 1;
        System.arraycopy(stamp, 0, operand, position, 10);
        byte[] key = java.util.Arrays.copyOfRange(operand, 1, operand.length - 4);
        assertThat(key)
                .isEqualTo(
                        Tuple.from("q", 1, Versionstamp.complete(stamp, 2), "z").pack());
    }

    @Test
    void twoTablesOfOnePathAreRefused() {
        KeyTree twice = () -> java.util.List.of(StoreTables.IDENTITY, StoreTables.IDENTITY);
        assertThatThrownBy(() -> new KeyRegistry(java.util.List.of(twice))).hasMessageContaining("store/identity");
        assertThat(KeyRegistry.load().tables()).contains(StoreTables.IDENTITY, StoreTables.GENERATION);
    }

    @Test
    void anEmptySubspaceIsRefused() {
        assertThatThrownBy(() -> new Keyspace("")).isInstanceOf(IllegalArgumentException.class);
        assertThat(new Keyspace("team-a/orders").root().getKey())
                .isEqualTo(Tuple.from("ratchet", "team-a/orders").pack());
    }
}
