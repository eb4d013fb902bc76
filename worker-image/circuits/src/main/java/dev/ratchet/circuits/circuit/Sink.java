/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import java.util.List;

/** Where a view is read: its change in a step, worker thread by worker thread. */
public final class Sink extends Operator {

    private Sink(List<Operator> inputs) {
        super(inputs.get(0).schema(), inputs);
    }

    public static Node of(String view, Node input) {
        return new Node("view", view, List.of(input), input.schema(), (context, inputs) -> new Sink(inputs))
                .placedBy(input.placements());
    }

    @Override
    protected void evaluate() {
        forward(input(0));
    }
}
