/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.cluster.FoundationDbStore;
import dev.ratchet.crds.cluster.Store;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the init containers do, done by the shell of this machine in folders of its own. */
class FoundationDbPartsTest {

    @TempDir
    Path directory;

    private final Store store = new Store();
    private Path own;
    private Path secret;
    private Path image;
    private String said = "";

    @BeforeEach
    void folders() throws Exception {
        store.foundationDB = new FoundationDbStore();
        store.foundationDB.clusterFile.secretKeyRef.name = "fdb";
        store.foundationDB.clusterFile.secretKeyRef.key = "cluster-file";
        store.foundationDB.clientImage = "foundationdb/foundationdb:7.3.69";
        own = Files.createDirectories(directory.resolve("own"));
        secret = Files.createDirectories(directory.resolve("secret"));
        image = Files.createDirectories(directory.resolve("image"));
    }

    private int run(String name) throws Exception {
        Container container = FoundationDbParts.initContainers(store, "ratchet/worker:0.1.0").stream()
                .filter(one -> one.getName().equals(name))
                .findFirst()
                .orElseThrow();
        String script = container
                .getCommand()
                .get(2)
                .replace("/var/lib/ratchet-fdb", own.toString())
                .replace("/etc/ratchet/fdb", secret.toString())
                .replace("/usr/lib", image.toString());
        assertThat(container.getTerminationMessagePolicy()).isEqualTo("FallbackToLogsOnError");
        Process process = new ProcessBuilder("/bin/sh", "-c", script)
                .redirectErrorStream(true)
                .start();
        said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor();
    }

    private String copy() throws Exception {
        return Files.readString(own.resolve("fdb.cluster"));
    }

    @Test
    void whatTheClientHasWrittenIsKeptUntilTheSecretIsAnother() throws Exception {
        Files.writeString(secret.resolve("cluster-file"), "one:one@10.0.0.1:4500\n");
        assertThat(run("cluster-file")).as(said).isZero();
        assertThat(copy()).isEqualTo("one:one@10.0.0.1:4500\n");

        Files.writeString(own.resolve("fdb.cluster"), "one:two@10.0.0.2:4500\n");
        assertThat(run("cluster-file")).as(said).isZero();
        assertThat(copy()).as("after another start of the pod").isEqualTo("one:two@10.0.0.2:4500\n");

        Files.writeString(secret.resolve("cluster-file"), "one:three@10.0.0.3:4500\n");
        assertThat(run("cluster-file")).as(said).isZero();
        assertThat(copy()).isEqualTo("one:three@10.0.0.3:4500\n");
    }

    @Test
    void aSecretWithoutTheKeyIsNamed() throws Exception {
        assertThat(run("cluster-file")).isNotZero();
        assertThat(said).contains("the Secret has no key cluster-file");
    }

    @Test
    void theLibraryAndThoseOfOtherVersionsAreCopied() throws Exception {
        assertThat(run("client-library")).isNotZero();
        assertThat(said).contains("clientImage has no " + image + "/libfdb_c.so");

        Files.writeString(image.resolve("libfdb_c.so"), "7.3");
        assertThat(run("client-library")).as(said).isZero();
        assertThat(own.resolve("lib/libfdb_c.so")).hasContent("7.3");
        assertThat(own.resolve("lib/multiversion")).isEmptyDirectory();

        Path others = Files.createDirectories(image.resolve("fdb/multiversion"));
        Files.writeString(others.resolve("libfdb_c_7.4.1.so"), "7.4");
        assertThat(run("client-library")).as(said).isZero();
        assertThat(own.resolve("lib/multiversion/libfdb_c_7.4.1.so")).hasContent("7.4");
    }

    @Test
    void theWorkerLooksWhereTheyAre() {
        assertThat(FoundationDbParts.variables(store))
                .extracting(EnvVar::getName, EnvVar::getValue)
                .extracting(Object::toString)
                .containsExactlyElementsOf(List.of(
                        "(\"FDB_CLUSTER_FILE\", \"/var/lib/ratchet-fdb/fdb.cluster\")",
                        "(\"LD_LIBRARY_PATH\", \"/var/lib/ratchet-fdb/lib\")",
                        "(\"FDB_NETWORK_OPTION_EXTERNAL_CLIENT_DIRECTORY\","
                                + " \"/var/lib/ratchet-fdb/lib/multiversion\")"));
    }
}
