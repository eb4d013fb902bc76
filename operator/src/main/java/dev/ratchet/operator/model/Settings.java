/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

/**
 * Owns what the shape of objects depends on beside the custom resource.
 *
 * @param release release of this operator
 * @param workerImage image of a worker of this release
 * @param networkPolicies whether to make NetworkPolicy objects
 * @param budgetVersion {@code policy/v1}, or {@code policy/v1beta1} where the API server is older than 1.21
 * @param pods what the administrator says of pods
 */
public record Settings(
        String release, String workerImage, boolean networkPolicies, String budgetVersion, PodSettings pods) {}
