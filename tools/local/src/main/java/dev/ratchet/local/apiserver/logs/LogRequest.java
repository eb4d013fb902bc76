/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.logs;

import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Which part of which container's log somebody wants, as {@code kubectl logs} asks for it.
 *
 * @param podUid the UID of the pod as it is now, so that the log of an earlier pod of that name is not shown
 * @param container a container or init container of the pod
 * @param follow go on until the container ends
 * @param previous the log of the run before the last restart
 * @param timestamps each line starts with its time in RFC 3339 and a space
 * @param tailLines only so many of the last lines
 * @param since only lines written at this time or later
 * @param limitBytes stop after so many bytes
 */
public record LogRequest(
        String namespace,
        String pod,
        String podUid,
        String container,
        boolean follow,
        boolean previous,
        boolean timestamps,
        OptionalLong tailLines,
        @Nullable Instant since,
        OptionalLong limitBytes) {}
