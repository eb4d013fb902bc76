/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.invoices;

import dev.ratchet.client.FeedOptions;
import dev.ratchet.client.FutureQuery;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Program;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.ViewChange;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.List;

/**
 * Makes an invoice of each order that comes into the view {@code large_orders}, and a credit note of each that leaves
 * it: {@code begin} says so once, {@code list} shows what was made.
 */
public final class Invoices implements Program {

    private static final String FEED = "invoices";

    /** A row of the view, and one of {@code spent}. */
    record Order(long id, String name, BigDecimal amount) {}

    record Spent(String name, BigDecimal total) implements Serializable {}

    /** For {@code ratchet submit --class}. */
    public Invoices() {}

    @Override
    public void run(Ratchet ratchet, List<String> arguments) throws Exception {
        switch (arguments.isEmpty() ? "" : arguments.get(0)) {
            case "begin" -> {
                ratchet.circuit().forEach(FeedOptions.named(FEED), "large_orders", Invoices::invoice);
                System.out.println(ratchet.circuit().feeds());
            }
            case "list" ->
                ratchet.list(FutureQuery.ofJob(FEED).withStates(FutureState.REALIZED))
                        .forEach(made -> System.out.println(ratchet.<Invoice>future(made.id())
                                .toCompletableFuture()
                                .join()));
            default -> throw new InvalidInputException("Say begin, or list.");
        }
    }

    /** Runs on a worker, once for each order that comes or leaves. */
    static Invoice invoice(ViewChange change) {
        Order order = change.row().as(Order.class);
        BigDecimal total = Ratchet.current().circuit().read("spent").as(Spent.class).stream()
                .filter(spent -> spent.name().equals(order.name()))
                .map(Spent::total)
                .findFirst()
                .orElse(BigDecimal.ZERO);
        BigDecimal amount = change.isAdded() ? order.amount() : order.amount().negate();
        return new Invoice(order.id(), order.name(), amount, total);
    }
}
