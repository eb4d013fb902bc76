/**
 * Plans of circuits and their execution: identical lanes over disjoint hash ranges, steps, exchange between lanes,
 * fixpoints, what operators measure and keep.
 */
@NullMarked
package dev.ratchet.circuits.circuit;

import org.jspecify.annotations.NullMarked;
