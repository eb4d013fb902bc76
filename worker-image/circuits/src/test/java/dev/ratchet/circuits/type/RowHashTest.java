/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.type;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.sample.Samples;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RowHashTest {

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT).orNull();
    private static final ColumnType DOUBLE = ColumnType.of(TypeKind.DOUBLE).orNull();
    private static final ColumnType VARCHAR = ColumnType.of(TypeKind.VARCHAR).orNull();

    /** Published vectors of XXH64 with seed 0. */
    @Test
    void bytesHashAsPublished() {
        assertThat(xx("")).isEqualTo("ef46db3751d8e999");
        assertThat(xx("a")).isEqualTo("d24ec4f1a98c6e5b");
        assertThat(xx("abc")).isEqualTo("44bc2cf5ad770999");
        assertThat(xx("Nobody inspects the spammish repetition")).isEqualTo("fbcea83c8a378bf1");
    }

    /** These decide which worker owns a key: they never change while {@link RowHash#ID} is 1. */
    @Test
    void rowsHashAsTheyAlwaysDid() {
        Map<String, String> hashes = new LinkedHashMap<>();
        hashes.put("no columns", hash(List.of(), List.of()));
        hashes.put("null", hash(List.of(BIGINT), java.util.Collections.singletonList(null)));
        hashes.put("0", hash(List.of(BIGINT), List.of(0L)));
        hashes.put("-1", hash(List.of(BIGINT), List.of(-1L)));
        hashes.put("1, abc", hash(List.of(BIGINT, VARCHAR), List.of(1L, "abc")));
        hashes.put("1.5", hash(List.of(DOUBLE), List.of(1.5)));
        hashes.put("0.01", hash(List.of(ColumnType.decimal(5, 2)), List.of(new BigDecimal("0.01"))));
        hashes.put(
                "2^100",
                hash(List.of(ColumnType.decimal(38, 0)), List.of(new BigDecimal("1267650600228229401496703205376"))));
        hashes.put("[1]", hash(List.of(ColumnType.array(BIGINT)), List.of(List.of(1L))));
        assertThat(hashes.toString())
                .isEqualTo(
                        "{no columns=ef46db3751d8e999, null=2a19449ea5f2ff23, 0=b992b056e7d8a844, -1=d860c446bb00e8bd,"
                                + " 1, abc=9b5b6f96bf49f4e4, 1.5=f6e1a91af4acf90e, 0.01=c042c4c0eca7d0d5, "
                                + "2^100=d77e570dee811531,"
                                + " [1]=d39e1bbbd781c54d}");
    }

    @Test
    void whatSqlCallsEqualHashesEqual() {
        String one = hash(List.of(BIGINT), List.of(1L));
        assertThat(hash(List.of(ColumnType.of(TypeKind.TINYINT)), List.of(1L))).isEqualTo(one);
        for (int precision = 1; precision <= 38; precision++) {
            for (int scale = 0; scale < precision; scale++) {
                assertThat(hash(List.of(ColumnType.decimal(precision, scale)), List.of(BigDecimal.ONE)))
                        .isEqualTo(one);
            }
        }
        BigDecimal large = new BigDecimal("12345678901234567890.5");
        assertThat(hash(List.of(ColumnType.decimal(38, 17)), List.of(large)))
                .isEqualTo(hash(List.of(ColumnType.decimal(22, 1)), List.of(large)));
        assertThat(hash(List.of(DOUBLE), List.of(-0.0))).isEqualTo(hash(List.of(DOUBLE), List.of(0.0)));
        assertThat(hash(List.of(DOUBLE), List.of(Double.longBitsToDouble(0xFFF8_0000_0000_0001L))))
                .isEqualTo(hash(List.of(DOUBLE), List.of(Double.NaN)));
        assertThat(hash(List.of(ColumnType.array(ColumnType.decimal(5, 1))), List.of(List.of(new BigDecimal("1.5")))))
                .isEqualTo(hash(
                        List.of(ColumnType.array(ColumnType.decimal(30, 9))),
                        List.of(List.of(new BigDecimal("1.50")))));
    }

    static LongStream seeds() {
        return Samples.seeds(200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void schemasComeBackFromTheirBytes(long seed) {
        RowSchema schema = new Samples(seed).schema();
        assertThat(SchemaCodec.decode(SchemaCodec.encode(schema))).isEqualTo(schema);
    }

    private static String xx(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Long.toHexString(XxHash64.hash(bytes, 0, bytes.length, 0));
    }

    private static String hash(List<ColumnType> types, List<?> values) {
        RowBuffer row = new RowBuffer(types.size());
        for (int column = 0; column < types.size(); column++) {
            ObjectValues.write(types.get(column), values.get(column), row, column);
        }
        return Long.toHexString(RowHash.ofKey(new RowSchema(types, List.of()), row));
    }
}
