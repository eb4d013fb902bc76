/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.json.JsonPath;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The paths of printer columns. */
class JsonPathTest {

    private static final JsonNode OBJECT =
            RequestBody.parse("a: {b: 1, c.d: 2}\nlist: [{type: X, v: 3}, {type: Y, v: 4}]\nm: {k-1: 5}"
                    .getBytes(StandardCharsets.UTF_8));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ".a.b                            | [1]",
                "{.a.b}                          | [1]",
                "$.a.b                           | [1]",
                ".a.c\\.d                        | [2]",
                ".a['b']                         | [1]",
                ".m.k-1                          | [5]",
                ".list[1].v                      | [4]",
                ".list[-1].v                     | [4]",
                ".list[*].v                      | [3, 4]",
                ".list[?(@.type==\"Y\")].v       | [4]",
                ".list[?(@.type=='X')].v         | [3]",
                ".nothing.here                   | []",
                ".list[7].v                      | []",
            })
    void aPathFindsItsNodes(String path, String expected) {
        assertThat(JsonPath.compile(path).find(OBJECT).toString()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", ".a[", ".a[x]", ".list[?(@.v>3)]"})
    void aPathOfAnotherFormIsRefused(String path) {
        assertThatThrownBy(() -> JsonPath.compile(path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("JSON path");
    }

    @Test
    void nothingIsFoundInNothing() {
        assertThat(JsonPath.compile(".a").find(Json.object())).isEmpty();
    }
}
