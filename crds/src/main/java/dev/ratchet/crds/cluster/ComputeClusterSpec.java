/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import static dev.ratchet.crds.schema.ChangeImpact.LIVE;
import static dev.ratchet.crds.schema.ChangeImpact.UPGRADE;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.OnChange;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** What a cluster should be. Written by people only: the operator never changes it. */
@JsonClassDescription("What the cluster should be.")
public final class ComputeClusterSpec extends Part {
    @JsonPropertyDescription(
            "Release of Ratchet that the workers run, such as 1.4.0. It decides the worker image unless image is set.")
    @OnChange(UPGRADE)
    @Required
    @Size(max = 64)
    @Pattern(Patterns.VERSION)
    public String version = "";

    @JsonPropertyDescription(
            "Worker image to use instead of the one that version names. Pull secrets go into podTemplate.")
    @OnChange(UPGRADE)
    @Size(max = 512)
    public String image = "";

    @JsonPropertyDescription("While true nothing but the status is changed.")
    @OnChange(LIVE)
    public boolean paused;

    @JsonPropertyDescription("What becomes of volumes and of the data in the store when the cluster is deleted.")
    @OnChange(LIVE)
    public DeletionPolicy deletionPolicy = DeletionPolicy.DELETE;

    @JsonPropertyDescription("The transactional store behind the cluster. What is below is changed while no worker "
            + "runs: set workers.replicas to 0 first.")
    @Required
    public Store store = new Store();

    @JsonPropertyDescription("Who may talk to the cluster, and by which certificates.")
    public AccessSpec access = new AccessSpec();

    @JsonPropertyDescription("The pool of workers named w; its seats are <cluster>-w-<n>.")
    public Workers workers = new Workers();

    @JsonPropertyDescription(
            "The one circuit program that the cluster runs, on all its workers; fed and read over HTTP at the Service "
                    + "<cluster>-circuit. While it is there the number of workers and threads can not be changed, and "
                    + "workers are replaced InPlace only. Removing it stops it; its state stays until a circuit of "
                    + "another name begins. Absent: the cluster runs futures only.")
    @OnChange(LIVE)
    public @Nullable CircuitSpec circuit;

    @JsonPropertyDescription("How state is spread over the workers and moved between them.")
    public LayoutPolicy layout = new LayoutPolicy();

    @JsonPropertyDescription("How a change of version, image or pod is rolled out.")
    public UpgradePolicy upgrade = new UpgradePolicy();
}
