/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sample;

import java.io.IOException;

/** Functions as users write them, for programs of tests. */
public final class UserCode {

    private UserCode() {}

    /** Half of an even number; odd ones are an error, and one that must be declared. */
    public static long half(long number) throws IOException {
        if (number % 2 != 0) {
            throw new IOException(number + " is odd");
        }
        return number / 2;
    }

    /** A class that generated code can not see. */
    static final class Hidden {
        private Hidden() {}

        public static long same(long number) {
            return number;
        }
    }
}
