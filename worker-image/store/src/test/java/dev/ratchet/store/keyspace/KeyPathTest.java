/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyPathTest {

    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "orders-w-0",
            "12",
            "-7",
            "0x",
            "0x1f",
            "@",
            "~",
            "'",
            "'a'",
            "it's",
            "a/b",
            "/",
            "\\",
            "\\'",
            "null",
            "true",
            "false",
            "a b",
            "\n",
            "a\u0000b",
            "\u00e9",
            "123e4567-e89b-12d3-a456-426614174000",
            "-");

    private static Object element(Random random) {
        return switch (random.nextInt(10)) {
            case 0 -> (long) random.nextInt();
            case 1 -> random.nextLong();
            case 2 -> new BigInteger(200, random).negate();
            case 3 -> new UUID(random.nextLong(), random.nextLong());
            case 4 -> random.nextBoolean();
            case 5 -> bytes(random, random.nextInt(5));
            case 6 -> Versionstamp.fromBytes(bytes(random, Versionstamp.LENGTH));
            case 7 -> random.nextDouble();
            case 8 -> Tuple.from("nested", random.nextLong());
            default -> TEXTS.get(random.nextInt(TEXTS.size()));
        };
    }

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatIsShownIsReadAsTheSameKey(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            Tuple key = new Tuple();
            for (int elements = random.nextInt(5); elements >= 0; elements--) {
                key = random.nextInt(20) == 0 ? key.addObject(null) : key.addObject(element(random));
            }
            String shown = KeyPath.show(key);
            assertThat(shown).as("seed %d", seed).doesNotContain("\n", "\u0000");
            assertThat(KeyPath.parse(shown).pack())
                    .as("seed %d, %s", seed, shown)
                    .isEqualTo(key.pack());
        }
    }

    @Test
    void plainTextAndIdsAreShownAsTheyAre() {
        UUID id = new UUID(7, 9);
        assertThat(KeyPath.show(Tuple.from("futures", "record", id))).isEqualTo("futures/record/" + id);
        assertThat(KeyPath.show(Tuple.from("membership", "member", "orders-w-0")))
                .isEqualTo("membership/member/orders-w-0");
        assertThat(KeyPath.show(Tuple.from("a/b", "12", 12, new byte[] {1, (byte) 0xfe})))
                .isEqualTo("'a/b'/'12'/12/0x01fe");
        assertThat(KeyPath.parse("").isEmpty()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "a//b | Element 2 of path 'a//b' is empty",
                "a/ | Element 2 of path 'a/' is empty",
                "/ | Element 1 of path '/' is empty",
                "a/0x123 | '0x123' is no hexadecimal number of whole bytes",
                "a/@12 | '@12' is no versionstamp",
                "a/~02 | is no packed element",
                "a/~zz | is no packed element",
                "a/'b | Text in single quotes must end with one",
                "a/'b'c | Text in single quotes must end with one",
                "a/'b\\' | Text in single quotes must end with one",
                "'\\u12' | '\\u12'",
            })
    void whatMeansNoKeyIsRefused(String path, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyPath.parse(path))
                .withMessageContaining(reason);
    }
}
