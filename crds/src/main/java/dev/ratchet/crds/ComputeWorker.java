/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import dev.ratchet.crds.worker.ComputeWorkerSpec;
import dev.ratchet.crds.worker.ComputeWorkerStatus;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** One seat of a cluster, made by the operator; its name is the name of the seat and of its pod. */
@Group(Names.GROUP)
@Version(Names.VERSION)
@ShortNames("rcw")
@Categories("ratchet")
@AdditionalPrinterColumn(name = "Cluster", type = AdditionalPrinterColumn.Type.STRING, jsonPath = ".spec.clusterName")
@AdditionalPrinterColumn(name = "State", type = AdditionalPrinterColumn.Type.STRING, jsonPath = ".status.state")
@AdditionalPrinterColumn(
        name = "Ready",
        type = AdditionalPrinterColumn.Type.STRING,
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
@AdditionalPrinterColumn(
        name = "Futures",
        type = AdditionalPrinterColumn.Type.INTEGER,
        jsonPath = ".status.holds.futures")
@AdditionalPrinterColumn(name = "Host", type = AdditionalPrinterColumn.Type.STRING, jsonPath = ".status.host")
@AdditionalPrinterColumn(
        name = "Age",
        type = AdditionalPrinterColumn.Type.DATE,
        jsonPath = ".metadata.creationTimestamp")
@AdditionalPrinterColumn(
        name = "Version",
        type = AdditionalPrinterColumn.Type.STRING,
        jsonPath = ".status.version",
        priority = 1)
@AdditionalPrinterColumn(
        name = "Incarnation",
        type = AdditionalPrinterColumn.Type.INTEGER,
        jsonPath = ".status.incarnation",
        priority = 1)
@AdditionalPrinterColumn(
        name = "Shards",
        type = AdditionalPrinterColumn.Type.INTEGER,
        jsonPath = ".status.shards",
        priority = 1)
@AdditionalPrinterColumn(
        name = "Objects",
        type = AdditionalPrinterColumn.Type.INTEGER,
        jsonPath = ".status.holds.objects",
        priority = 1)
@ValidationRule(
        value = "self.metadata.name.startsWith(self.spec.clusterName + '-' + self.spec.pool + '-') "
                + "&& self.metadata.name.matches('-(0|[1-9][0-9]{0,6})$') "
                + "&& int(self.metadata.name.substring(size(self.spec.clusterName) + size(self.spec.pool) + 2)) "
                + "== self.spec.ordinal",
        message =
                "the name of a ComputeWorker must be <clusterName>-<pool>-<ordinal>; the operator makes these objects")
@JsonClassDescription("One seat of a ComputeCluster, made by the operator. Its name is the name of its pod.")
public final class ComputeWorker extends CustomResource<ComputeWorkerSpec, ComputeWorkerStatus> implements Namespaced {
    @Override
    protected ComputeWorkerSpec initSpec() {
        return new ComputeWorkerSpec();
    }

    @Override
    protected ComputeWorkerStatus initStatus() {
        return new ComputeWorkerStatus();
    }
}
