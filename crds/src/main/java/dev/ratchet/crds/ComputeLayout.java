/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import dev.ratchet.crds.layout.ComputeLayoutSpec;
import dev.ratchet.crds.layout.ComputeLayoutStatus;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * One epoch of a cluster: the wanted assignment and the progress of getting there. Named after the epoch, so that the
 * API server makes a second proposal of the same epoch fail.
 */
@Group(Names.GROUP)
@Version(Names.VERSION)
@ShortNames("rcl")
@Categories("ratchet")
@AdditionalPrinterColumn(name = "Cluster", type = AdditionalPrinterColumn.Type.STRING, jsonPath = ".spec.clusterName")
@AdditionalPrinterColumn(name = "Epoch", type = AdditionalPrinterColumn.Type.INTEGER, jsonPath = ".spec.epoch")
@AdditionalPrinterColumn(name = "Reason", type = AdditionalPrinterColumn.Type.STRING, jsonPath = ".spec.reason")
@AdditionalPrinterColumn(name = "Step", type = AdditionalPrinterColumn.Type.STRING, jsonPath = ".status.step")
@AdditionalPrinterColumn(name = "Moved", type = AdditionalPrinterColumn.Type.INTEGER, jsonPath = ".status.bytes.moved")
@AdditionalPrinterColumn(
        name = "Age",
        type = AdditionalPrinterColumn.Type.DATE,
        jsonPath = ".metadata.creationTimestamp")
@AdditionalPrinterColumn(
        name = "Mode",
        type = AdditionalPrinterColumn.Type.STRING,
        jsonPath = ".spec.mode",
        priority = 1)
@AdditionalPrinterColumn(
        name = "Wanted",
        type = AdditionalPrinterColumn.Type.INTEGER,
        jsonPath = ".status.bytes.wanted",
        priority = 1)
@AdditionalPrinterColumn(
        name = "Paused",
        type = AdditionalPrinterColumn.Type.INTEGER,
        jsonPath = ".status.pausedMillis",
        priority = 1)
@ValidationRule(
        value = "self.spec.origin != 'Operator' || !has(self.spec.epoch) "
                + "|| (self.metadata.name.startsWith(self.spec.clusterName + '-l') "
                + "&& self.metadata.name.matches('-l(0|[1-9][0-9]{0,18})$') "
                + "&& int(self.metadata.name.substring(size(self.spec.clusterName) + 2)) == self.spec.epoch)",
        message = "the name of a ComputeLayout with origin Operator must be <clusterName>-l<epoch>")
@JsonClassDescription("One epoch of a ComputeCluster: the wanted assignment and the progress of getting there.")
public final class ComputeLayout extends CustomResource<ComputeLayoutSpec, ComputeLayoutStatus> implements Namespaced {
    @Override
    protected ComputeLayoutSpec initSpec() {
        return new ComputeLayoutSpec();
    }

    @Override
    protected ComputeLayoutStatus initStatus() {
        return new ComputeLayoutStatus();
    }
}
