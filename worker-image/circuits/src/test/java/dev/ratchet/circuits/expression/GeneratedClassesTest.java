/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.expression;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.ratchet.circuits.sql.SqlProgram;
import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;

class GeneratedClassesTest {

    private static final ClassLoader OWN = SqlProgram.class.getClassLoader();

    private static Class<?> of(int number, ClassLoader parent) throws Exception {
        return GeneratedClasses.of("Generated", "public class Generated { int n = " + number + "; }", parent);
    }

    @Test
    void equalSourceIsOneClass() throws Exception {
        assertSame(of(1, OWN), of(1, OWN));
        assertNotSame(of(1, OWN), of(2, OWN));
    }

    @Test
    void sourceThatSeesTheFunctionsOfAProgramIsItsOwn() throws Exception {
        try (URLClassLoader functions = new URLClassLoader(new URL[0], OWN)) {
            assertNotSame(of(1, OWN), of(1, functions));
            assertNotSame(of(1, functions), of(1, functions));
        }
    }

    @Test
    void whatWasNotAskedForLongestIsGivenUp() throws Exception {
        Class<?> kept = of(-1, OWN);
        Class<?> forgotten = of(-2, OWN);
        for (int other = 0; other < GeneratedClasses.KEPT_MAX - 1; other++) {
            of(other, OWN);
            assertSame(kept, of(-1, OWN));
        }
        assertNotSame(forgotten, of(-2, OWN));
    }
}
