/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.check;

/**
 * The twenty interactions of the scheduler–worker protocol and its five global rules, each as what it has become where
 * workers pull from a store: a claim, a command, a hello. {@code docs/membership.md} has the same table.
 */
public enum Rule {
    P1(
            "heartbeat, running tasks; scheduler",
            "a seat leaves NEW only when no claim of a former incarnation is left"
                    + " but of tasks with external effects"),
    P2("heartbeat, running tasks; worker", "a process leaves NEW, or calls itself HEALTHY, only after its record has"),
    P3("heartbeat, run task; scheduler", "a claim is written only in the name of the incarnation that has the seat"),
    P4(
            "heartbeat, run task; worker",
            "the term that a worker has heard never falls, nor does the (term, seq) of the command it executed last"),
    P5(
            "heartbeat, not running; scheduler",
            "an epoch of a future belongs to one token, however often its claim was retried after an unknown outcome"),
    P6(
            "heartbeat, not running; worker",
            "incarnations and beats only grow, and an incarnation that must die stays so; a beat is its own"),
    P7("heartbeat, update status; scheduler", "a recorded outcome never becomes another one"),
    P8(
            "heartbeat, update status; worker",
            "an outcome that could not be recorded is tried until it is or somebody took over: no claim is left over"),
    P9("not running, running tasks; scheduler", "a NEW incarnation has no claim"),
    P10("not running, running tasks; worker", "a seat is recorded as drained only in a version where it has no claim"),
    P11("not running, run task; scheduler", "the (term, seq) of the commands to a seat only grows"),
    P12("not running, run task; worker", "epochs only grow, so that a claim that was ended is never in force again"),
    P13("not running, update status; scheduler", "the index of claims and the records agree in every version"),
    P14(
            "not running, update status; worker",
            "attempts that count are never negative, above epochs and lost ones, or above retries"),
    P15("run task, running tasks; scheduler", "a claim is written only while its seat is HEALTHY"),
    P16(
            "run task, running tasks; worker",
            "terms only grow, and what a coordinator decides is written only in its own term"),
    P17("run task, update status; scheduler", "a claimed future gets its outcome under the token of that claim"),
    P18("run task, update status; worker", "a future has at most one claim"),
    P19(
            "update status, running tasks; scheduler",
            "a value is recorded only in the name of an incarnation that has its seat, has left NEW and need not die"),
    P20(
            "update status, running tasks; worker",
            "while a task runs on a seat it is not recorded as drained, but for the time that a kill takes"),
    G1(
            "at most one live execution",
            "two executions of a future never run at once, nor does a call of an actor begin before those are over that"
                    + " it waits for, but for the time that a kill takes"),
    G2(
            "no accepted task is forgotten",
            "each acknowledged future ends, with the outcome that its task must have, and stays as long as it is held"),
    G3("what is not running never starts", "nothing starts under a claim that somebody has taken over"),
    G4("both lists are equal in the end", "once faults are over workers hold exactly their claims"),
    G5(
            "resources are accounted for",
            "what heartbeats say of claims is never negative, and right once faults are over");

    private final String source;
    private final String here;

    Rule(String source, String here) {
        this.source = source;
        this.here = here;
    }

    /** What interacts, and on which side, in the protocol of schedulers and workers. */
    public String source() {
        return source;
    }

    /** What must hold here. */
    public String here() {
        return here;
    }
}
