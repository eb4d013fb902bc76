/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.apply;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.Names;
import dev.ratchet.operator.model.Certificate;
import dev.ratchet.operator.observe.NamespaceTermination;
import dev.ratchet.operator.plan.Action;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Owns the writes of one reconcile, made through the framework, so that its caches hold what was written before the
 * watch tells it, and the events of our own writes do not come back to us.
 */
public final class CachingWriter implements ApiWriter {
    private final Context<ComputeCluster> context;
    private final Runnable requested;
    private final Runnable goesOn;

    /**
     * A writer for one reconcile.
     *
     * @param requested is told of each write of a Certificate, which no cache of the framework holds
     * @param goesOn is told before each request
     */
    public CachingWriter(Context<ComputeCluster> context, Runnable requested, Runnable goesOn) {
        this.context = context;
        this.requested = requested;
        this.goesOn = goesOn;
    }

    @Override
    public HasMetadata apply(HasMetadata wanted) {
        goesOn.run();
        if (wanted instanceof Certificate certificate) {
            requested.run();
            return context.getClient()
                    .resource(certificate)
                    .fieldManager(Names.FIELD_MANAGER)
                    .forceConflicts()
                    .serverSideApply();
        }
        return context.resourceOperations().serverSideApply(wanted);
    }

    @Override
    public Optional<HasMetadata> create(HasMetadata wanted) {
        goesOn.run();
        try {
            return Optional.of(context.resourceOperations().create(wanted));
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    /**
     * By replacing, not by server-side apply: API servers before 1.21 turn a block that is left out into null, which
     * the schema refuses. An object that is gone or newer than the cache needs no status from us now; its event leads
     * to another reconcile.
     */
    @Override
    public void writeStatus(HasMetadata object) {
        unlessOutdated(() -> context.resourceOperations().updateStatus(object));
    }

    @Override
    public void writePrimaryStatus(ComputeCluster cluster) {
        unlessOutdated(() -> context.resourceOperations().updatePrimaryStatus(cluster));
    }

    private void unlessOutdated(Runnable write) {
        goesOn.run();
        try {
            write.run();
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_NOT_FOUND
                    && refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw refused;
            }
        }
    }

    @Override
    public boolean patch(Action.Patch patch) {
        goesOn.run();
        List<Container> containers = patch.images().entrySet().stream()
                .map(image -> new ContainerBuilder()
                        .withName(image.getKey())
                        .withImage(image.getValue())
                        .build())
                .toList();
        Pod wanted = new PodBuilder()
                .withNewMetadata()
                .withResourceVersion(patch.object().getMetadata().getResourceVersion())
                .withAnnotations(patch.annotations())
                .endMetadata()
                .build();
        if (!containers.isEmpty()) {
            wanted.setSpec(new PodSpecBuilder().withContainers(containers).build());
        }
        try {
            context.getClient()
                    .resource(patch.object())
                    .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), Serialization.asJson(wanted));
            return true;
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_NOT_FOUND
                    && refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw refused;
            }
            return false;
        }
    }

    /** By a request of its own, because the client's DSL has no precondition on the UID. */
    @Override
    public void delete(HasMetadata live, OptionalLong graceSeconds) {
        goesOn.run();
        if (live instanceof Certificate) {
            requested.run();
        }
        DeleteOptions options = new DeleteOptionsBuilder()
                .withNewPreconditions()
                .withUid(live.getMetadata().getUid())
                .endPreconditions()
                .withPropagationPolicy("Background")
                .build();
        graceSeconds.ifPresent(options::setGracePeriodSeconds);
        try {
            context.getClient().raw(path(live), "DELETE", options);
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_NOT_FOUND
                    && refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw refused;
            }
        }
    }

    /**
     * By a create that is not carried out: to read the namespace would take a right in the whole cluster. Another
     * refusal says nothing.
     */
    @Override
    public boolean namespaceEnds(String namespace) {
        goesOn.run();
        try {
            context.getClient()
                    .configMaps()
                    .inNamespace(namespace)
                    .resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withGenerateName("ratchet-probe-")
                            .endMetadata()
                            .build())
                    .dryRun()
                    .create();
            return false;
        } catch (KubernetesClientException refused) {
            return NamespaceTermination.isCauseOf(refused);
        }
    }

    @Override
    public Optional<HasMetadata> read(HasMetadata like) {
        return Optional.ofNullable(context.getClient().resource(like).get());
    }

    private static String path(HasMetadata object) {
        String version = object.getApiVersion();
        return (version.indexOf('/') < 0 ? "/api/" : "/apis/") + version + "/namespaces/"
                + object.getMetadata().getNamespace() + "/" + object.getPlural() + "/"
                + object.getMetadata().getName();
    }
}
