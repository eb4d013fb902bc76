/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContainmentTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @ParameterizedTest(name = "{0} holds {1}: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":1,\"b\":2} | {\"a\":1} | true",
                "{\"a\":1} | {\"a\":2} | false",
                "{} | {\"a\":1} | false",
                "{} | {\"a\":{},\"b\":[],\"c\":\"\",\"d\":false,\"e\":0,\"f\":null} | true",
                "{\"a\":[{\"b\":1,\"c\":2}]} | {\"a\":[{\"b\":1}]} | true",
                "{\"a\":[1,2]} | {\"a\":[1]} | false",
                "{\"a\":\"1\"} | {\"a\":\"1000m\"} | true",
                "{\"a\":\"1Gi\"} | {\"a\":\"1024Mi\"} | true",
                "{\"a\":\"1Gi\"} | {\"a\":\"2Gi\"} | false",
                "{\"a\":\"x\"} | {\"a\":\"y\"} | false",
                "{\"a\":5} | {\"a\":5.0} | true"
            })
    void whatTheServerAddsIsNoDifference(String live, String wanted, boolean holds) throws Exception {
        assertThat(Containment.holds(MAPPER.readTree(live), MAPPER.readTree(wanted)))
                .isEqualTo(holds);
    }
}
