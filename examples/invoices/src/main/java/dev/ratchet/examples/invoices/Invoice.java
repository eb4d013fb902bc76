/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.invoices;

import java.io.Serializable;
import java.math.BigDecimal;

/**
 * What a customer is to pay for an order, or gets back.
 *
 * @param amount less than 0 for an order that was taken back
 * @param total of all that the customer had ordered when the invoice was made
 */
record Invoice(long order, String customer, BigDecimal amount, BigDecimal total) implements Serializable {

    @Override
    public String toString() {
        return (amount.signum() < 0 ? "credit note" : "invoice") + " for order " + order + ": " + amount + " by "
                + customer + ", who has ordered for " + total;
    }
}
