/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import dev.ratchet.protocol.release.ReleaseFormats;
import java.util.Map;

/**
 * What a process says of itself when it takes a seat; constant for its life.
 *
 * @param seat name of the seat, at most 253 characters
 * @param podUid UID of its pod
 * @param bootNumber raised by each process of one pod under a lock that only one process can hold
 * @param bootNonce drawn at random by this process, not 0; tells its own registration from another's
 * @param host Kubernetes node
 * @param address {@code host:port} that this process listens on already, alone
 * @param formats its release of Ratchet, and which levels of recorded formats that reads and writes
 * @param threads execution slots, at least 1
 * @param labels at most 64, for placement
 * @param onVolume whether the next process of the seat has the files of this one, also in another pod
 */
public record WorkerDescription(
        String seat,
        String podUid,
        long bootNumber,
        long bootNonce,
        String host,
        String address,
        ReleaseFormats formats,
        int threads,
        Map<String, String> labels,
        boolean onVolume) {

    private static final int LABEL_LIMIT = 64;

    public WorkerDescription {
        labels = Map.copyOf(labels);
        require(!seat.isEmpty() && seat.length() <= 253, "seat", seat);
        require(!podUid.isEmpty(), "podUid", podUid);
        require(bootNumber >= 1, "bootNumber", bootNumber);
        require(bootNonce != 0, "bootNonce", bootNonce);
        require(address.indexOf(':') > 0, "address", address);
        require(threads >= 1, "threads", threads);
        require(labels.size() <= LABEL_LIMIT, "number of labels", labels.size());
    }

    private static void require(boolean holds, String what, Object value) {
        if (!holds) {
            throw new IllegalArgumentException("Not a usable " + what + " for a worker: '" + value + "'");
        }
    }
}
