/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.cluster.FoundationDbStore;
import dev.ratchet.crds.cluster.KeyReference;
import dev.ratchet.crds.cluster.Store;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.ArrayList;
import java.util.List;

/**
 * Owns what a pod needs to reach FoundationDB: the cluster file copied to where the client may rewrite it (it does when
 * coordinators move), the client library, and its TLS files. All empty for another store.
 */
final class FoundationDbParts {
    /** Writable; holds {@code fdb.cluster} and the client library. */
    private static final String DIRECTORY = "/var/lib/ratchet-fdb";

    private static final String SOURCE_DIRECTORY = "/etc/ratchet/fdb";
    static final String TLS_DIRECTORY = "/etc/ratchet/fdb-tls";
    static final String CLUSTER_FILE = DIRECTORY + "/fdb.cluster";

    private static final String COPY_LIBRARIES = "set -e\n"
            + "if [ ! -r /usr/lib/libfdb_c.so ]; then\n"
            + "  echo 'the image of spec.store.foundationDB.clientImage has no /usr/lib/libfdb_c.so' >&2; exit 1\n"
            + "fi\n"
            + "mkdir -p " + DIRECTORY + "/lib/multiversion\n"
            + "cp /usr/lib/libfdb_c.so " + DIRECTORY + "/lib/\n"
            + "for library in /usr/lib/fdb/multiversion/*; do\n"
            + "  [ ! -e \"$library\" ] || cp \"$library\" " + DIRECTORY + "/lib/multiversion/\n"
            + "done";

    private FoundationDbParts() {}

    static List<Volume> volumes(Store store) {
        FoundationDbStore foundation = store.foundationDB;
        if (foundation == null) {
            return List.of();
        }
        List<Volume> volumes = new ArrayList<>();
        volumes.add(PodParts.emptyDirectory("fdb"));
        volumes.add(secret("fdb-source", foundation.clusterFile.secretKeyRef.name));
        if (!foundation.tlsSecretName.isEmpty()) {
            volumes.add(secret("fdb-tls", foundation.tlsSecretName));
        }
        return volumes;
    }

    static List<VolumeMount> mounts(Store store) {
        FoundationDbStore foundation = store.foundationDB;
        if (foundation == null) {
            return List.of();
        }
        List<VolumeMount> mounts = new ArrayList<>();
        mounts.add(PodParts.mount("fdb", DIRECTORY, false));
        if (!foundation.tlsSecretName.isEmpty()) {
            mounts.add(PodParts.mount("fdb-tls", TLS_DIRECTORY, true));
        }
        return mounts;
    }

    static List<EnvVar> variables(Store store) {
        FoundationDbStore foundation = store.foundationDB;
        if (foundation == null) {
            return List.of();
        }
        List<EnvVar> variables = new ArrayList<>();
        variables.add(PodParts.variable("FDB_CLUSTER_FILE", CLUSTER_FILE));
        if (!foundation.clientImage.isEmpty()) {
            variables.add(PodParts.variable("LD_LIBRARY_PATH", DIRECTORY + "/lib"));
            variables.add(
                    PodParts.variable("FDB_NETWORK_OPTION_EXTERNAL_CLIENT_DIRECTORY", DIRECTORY + "/lib/multiversion"));
        }
        return variables;
    }

    static List<Container> initContainers(Store store, String workerImage) {
        FoundationDbStore foundation = store.foundationDB;
        if (foundation == null) {
            return List.of();
        }
        List<Container> containers = new ArrayList<>();
        KeyReference source = foundation.clusterFile.secretKeyRef;
        containers.add(shell(
                "cluster-file", workerImage, copyOf(source.key), PodParts.mount("fdb-source", SOURCE_DIRECTORY, true)));
        if (!foundation.clientImage.isEmpty()) {
            containers.add(shell("client-library", foundation.clientImage, COPY_LIBRARIES));
        }
        return containers;
    }

    /**
     * Copies the cluster file once for each content of the Secret, not at each start: the copy may be newer than the
     * Secret, because the client rewrites it when coordinators move.
     */
    private static String copyOf(String key) {
        String source = SOURCE_DIRECTORY + "/" + key;
        String given = CLUSTER_FILE + ".given";
        return "[ -r " + source + " ] || { echo 'the Secret has no key " + key
                + " with a cluster file' >&2; exit 1; }\n"
                + "if [ ! -e " + CLUSTER_FILE + " ] || [ \"$(cat " + source + ")\" != \"$(cat " + given
                + ")\" ]; then\n"
                + "  cp " + source + " " + CLUSTER_FILE + " && chmod 0600 " + CLUSTER_FILE + " && cp " + source + " "
                + given + "\n"
                + "fi";
    }

    private static Container shell(String name, String image, String script, VolumeMount... mounts) {
        return new ContainerBuilder()
                .withName(name)
                .withImage(image)
                .withCommand("/bin/sh", "-c", script)
                .withTerminationMessagePolicy("FallbackToLogsOnError")
                .withSecurityContext(PodParts.containerSecurity())
                .withVolumeMounts(mounts)
                .addToVolumeMounts(PodParts.mount("fdb", DIRECTORY, false))
                .build();
    }

    private static Volume secret(String volume, String secret) {
        return new VolumeBuilder()
                .withName(volume)
                .withNewSecret()
                .withSecretName(secret)
                .endSecret()
                .build();
    }
}
