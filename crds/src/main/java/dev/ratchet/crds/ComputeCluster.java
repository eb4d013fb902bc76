/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.ComputeClusterStatus;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** A compute cluster: what users write. */
@Group(Names.GROUP)
@Version(Names.VERSION)
@ShortNames("rcc")
@Categories("ratchet")
@AdditionalPrinterColumn(
        name = "Desired",
        type = AdditionalPrinterColumn.Type.INTEGER,
        jsonPath = ".spec.workers.replicas")
@AdditionalPrinterColumn(
        name = "Ready",
        type = AdditionalPrinterColumn.Type.INTEGER,
        jsonPath = ".status.readyReplicas")
@AdditionalPrinterColumn(
        name = "Updated",
        type = AdditionalPrinterColumn.Type.INTEGER,
        jsonPath = ".status.updatedReplicas")
@AdditionalPrinterColumn(name = "Version", type = AdditionalPrinterColumn.Type.STRING, jsonPath = ".spec.version")
@AdditionalPrinterColumn(name = "Epoch", type = AdditionalPrinterColumn.Type.INTEGER, jsonPath = ".status.layout.epoch")
@AdditionalPrinterColumn(name = "Step", type = AdditionalPrinterColumn.Type.INTEGER, jsonPath = ".status.circuit.step")
@AdditionalPrinterColumn(
        name = "Lag",
        type = AdditionalPrinterColumn.Type.INTEGER,
        jsonPath = ".status.circuit.lagRows")
@AdditionalPrinterColumn(
        name = "Status",
        type = AdditionalPrinterColumn.Type.STRING,
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason")
@AdditionalPrinterColumn(
        name = "Age",
        type = AdditionalPrinterColumn.Type.DATE,
        jsonPath = ".metadata.creationTimestamp")
@AdditionalPrinterColumn(
        name = "Store",
        type = AdditionalPrinterColumn.Type.STRING,
        jsonPath = ".spec.store.type",
        priority = 1)
@AdditionalPrinterColumn(
        name = "Coordinator",
        type = AdditionalPrinterColumn.Type.STRING,
        jsonPath = ".status.coordinator.seat",
        priority = 1)
@AdditionalPrinterColumn(
        name = "Proposed",
        type = AdditionalPrinterColumn.Type.INTEGER,
        jsonPath = ".status.layout.proposed",
        priority = 1)
@AdditionalPrinterColumn(
        name = "Moved",
        type = AdditionalPrinterColumn.Type.INTEGER,
        jsonPath = ".status.layout.bytesMoved",
        priority = 1)
@ValidationRule(
        value = "self.metadata.name.size() <= 40",
        message = "the name of a ComputeCluster must not be longer than 40 characters, because pods are named after it")
@ValidationRule(
        value = "self.metadata.name.matches('" + Patterns.LABEL + "')",
        message = "the name of a ComputeCluster must be lower case letters, digits and hyphens, start with a "
                + "letter and end with a letter or digit")
@JsonClassDescription("A compute cluster: workers that run durable futures and a circuit on one transactional store.")
public final class ComputeCluster extends CustomResource<ComputeClusterSpec, ComputeClusterStatus>
        implements Namespaced {
    @Override
    protected ComputeClusterSpec initSpec() {
        return new ComputeClusterSpec();
    }

    @Override
    protected ComputeClusterStatus initStatus() {
        return new ComputeClusterStatus();
    }
}
