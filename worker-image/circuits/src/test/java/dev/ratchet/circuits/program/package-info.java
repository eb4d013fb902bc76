/** Programs that are classes of jars, compiled here. */
@NullMarked
package dev.ratchet.circuits.program;

import org.jspecify.annotations.NullMarked;
