/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.coordinator;

/**
 * What a process does as long as it is the coordinator. Calls come one after the other, on any thread, and must not
 * block. Being elected permits to try; that nothing of a former coordinator is written after the first of a later one
 * is kept by the {@link Term}, through which every decision is read and written.
 */
public interface Duty {

    /** The process holds {@code term} from now on. */
    void elected(Term term);

    /** The term is over, or the seat is lost: nothing more can be written in it. */
    void deposed(Term term);
}
