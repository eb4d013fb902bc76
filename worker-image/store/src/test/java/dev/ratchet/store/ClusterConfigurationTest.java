/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.environment.SystemEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterConfigurationTest {

    @TempDir
    Path directory;

    @Test
    void anEmbeddedStoreIsReadWithTheNameOfItsServer() throws Exception {
        write("{'cluster':'orders','namespace':'team-a','later':1,'store':{'type':'Embedded','address':'10.0.0.7:7401',"
                + "'subspace':'team-a/orders'}}");
        assertThat(ClusterConfiguration.read(directory))
                .isEqualTo(new ClusterConfiguration(
                        "orders",
                        "team-a",
                        new StoreConfiguration.Embedded("10.0.0.7:7401", "orders-store-0", "team-a/orders")));
    }

    @Test
    void aFoundationDbClusterIsReadWithAndWithoutTls() throws Exception {
        write("{'cluster':'orders','namespace':'team-a','store':{'type':'FoundationDB','clusterFile':'/f/fdb.cluster',"
                + "'subspace':'s','tlsDir':'/tls'}}");
        assertThat(ClusterConfiguration.read(directory).store())
                .isEqualTo(new StoreConfiguration.FoundationDb(Path.of("/f/fdb.cluster"), Path.of("/tls"), null, "s"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    [1                                                            | is not JSON
                    {}                                                            | "cluster" must be
                    {'cluster':'a','namespace':'b'}                               | "store" is missing
                    {'cluster':'a','namespace':'b','store':{'type':'X','subspace':'s'}} | known are Embedded and Found
                    {'cluster':'a','namespace':'b','store':{'type':'Embedded','subspace':'s'}} | "address" must be
                    {'cluster':'a','namespace':'b','store':{'type':'Embedded'}}   | "subspace" must be
                    """, quoteCharacter = '~')
    void whatIsWrongIsNamedWithTheFile(String text, String complaint) throws Exception {
        write(text);
        assertThatThrownBy(() -> ClusterConfiguration.read(directory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cluster.json")
                .hasMessageContaining(complaint);
    }

    @Test
    void aBlankNamespaceIsNamed() throws Exception {
        String store = "'store':{'type':'Embedded','subspace':'s','address':'x:1'}";
        whatIsWrongIsNamedWithTheFile("{'cluster':'a','namespace':' '," + store + "}", "\"namespace\" must be");
    }

    @Test
    void anEmbeddedStoreIsNotOpenedWithoutCredential() {
        try (SystemEnvironment environment = new SystemEnvironment()) {
            assertThatThrownBy(() -> DatabaseFactory.open(
                            new StoreConfiguration.Embedded("127.0.0.1:1", "orders-store-0", "s"), null, environment))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("RATCHET_TLS_DIR");
        }
    }

    private void write(String text) throws IOException {
        Files.writeString(directory.resolve(ClusterConfiguration.FILE), text.replace('\'', '"'));
    }
}
