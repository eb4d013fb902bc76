/** The incremental operators: what a change of the inputs changes in the output, and the state each needs for that. */
@NullMarked
package dev.ratchet.circuits.operator;

import org.jspecify.annotations.NullMarked;
