/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import java.util.Map;

/**
 * One seat as the store knows it at one version: who holds it or held it last.
 *
 * @param seat its name
 * @param incarnation the newest incarnation that was ever issued for it
 * @param state what that incarnation says of itself, or MUST_DIE
 * @param podUid UID of its pod
 * @param bootNumber number of the process within its pod
 * @param bootNonce drawn by its process
 * @param host Kubernetes node
 * @param address {@code host:port} where it serves
 * @param version release of Ratchet that it runs
 * @param threads execution slots
 * @param labels for placement
 * @param observerTtlMillis how long others must have seen no beat before they may call it dead, at least
 * @param drained recorded as holding nothing and taking nothing
 * @param ended it ended itself in order
 * @param onVolume whether the next process of the seat has the files of this one
 * @param parks whether its process knows how to park
 * @param parkedIncarnation the incarnation that has parked, this one or a former: everything that the seat holds is in
 *     files, and the next process is awaited until it has taken them up; 0: none
 * @param takenAtMillis wall clock of the registration, for people
 * @param beat counts its heartbeats
 * @param freeResources free amount by resource name, as of the last beat
 * @param holds what it held as of the last beat
 */
public record Member(
        String seat,
        long incarnation,
        WorkerState state,
        String podUid,
        long bootNumber,
        long bootNonce,
        String host,
        String address,
        String version,
        int threads,
        Map<String, String> labels,
        long observerTtlMillis,
        boolean drained,
        boolean ended,
        boolean onVolume,
        boolean parks,
        long parkedIncarnation,
        long takenAtMillis,
        long beat,
        Map<String, Long> freeResources,
        Inventory holds) {

    /** True while an incarnation may be alive as far as the store says; whether it is, {@link Liveness} observes. */
    public boolean isPresent() {
        return state != WorkerState.MUST_DIE;
    }

    /** Whether this incarnation takes no work any more, and leaves what it holds in files to the next one. */
    public boolean isParked() {
        return parkedIncarnation == incarnation && incarnation > 0;
    }
}
