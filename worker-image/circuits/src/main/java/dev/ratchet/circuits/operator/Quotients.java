/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Quotients that are rounded once: to the digits of the type they are for. */
final class Quotients {

    private Quotients() {}

    static BigDecimal divide(BigDecimal dividend, BigDecimal divisor, ColumnType wanted) {
        if (Numbers.isFloating(wanted)) {
            return dividend.divide(divisor, ExactNumber.DIGITS);
        }
        RoundingMode rounding = wanted.kind() == TypeKind.DECIMAL ? RoundingMode.HALF_UP : RoundingMode.DOWN;
        return dividend.divide(divisor, wanted.scale(), rounding);
    }
}
