/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

/**
 * How much is measured.
 *
 * @param quick whether less of what has no time of its own
 * @param millis how long each line of a closed loop takes
 * @param together calls that are made together
 * @param datasetMegabytes size of the dataset that is divided anew
 * @param backlog calls that wait behind those that are measured
 */
record Extent(boolean quick, long millis, int together, int datasetMegabytes, int backlog) {}
