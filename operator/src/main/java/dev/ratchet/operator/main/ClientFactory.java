/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.main;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.protocol.release.Release;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.model.jackson.UnmatchedFieldTypeModule;

/**
 * Owns the client of the API server: by KUBECONFIG or the service account of the pod. It never decodes
 * {@code managedFields}, which is half of each object and of no use here, so neither the first lists nor the caches pay
 * for them.
 */
public final class ClientFactory {
    private static final int REQUEST_TIMEOUT_MILLIS = 30_000;
    private static final int CONNECTION_TIMEOUT_MILLIS = 10_000;

    private ClientFactory() {}

    /** A client that tells {@code requests} of each request. */
    public static KubernetesClient create(Interceptor requests) {
        Config config = new ConfigBuilder(Config.autoConfigure(null))
                .withRequestTimeout(REQUEST_TIMEOUT_MILLIS)
                .withConnectionTimeout(CONNECTION_TIMEOUT_MILLIS)
                .withUserAgent("ratchet-operator/" + Release.VERSION)
                .build();
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withKubernetesSerialization(serialization())
                .withHttpClientBuilderConsumer(builder -> builder.addOrReplaceInterceptor("requests", requests))
                .build();
    }

    /**
     * How objects are read. A value of the wrong type, which the schema of a pod template lets pass, is kept beside the
     * fields: otherwise one cluster that can not be read would keep the operator from all others.
     */
    public static KubernetesSerialization serialization() {
        ObjectMapper mapper = new ObjectMapper()
                .addMixIn(ObjectMeta.class, WithoutManagedFields.class)
                .registerModule(new UnmatchedFieldTypeModule(false, false));
        return new KubernetesSerialization(mapper, true);
    }

    @JsonIgnoreProperties("managedFields")
    private interface WithoutManagedFields {}
}
