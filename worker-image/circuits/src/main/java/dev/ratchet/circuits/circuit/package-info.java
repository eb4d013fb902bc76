/**
 * Plans of circuits and their execution: identical worker threads over disjoint sets of hashes, steps, exchange between
 * worker threads, fixpoints, what operators measure and keep.
 */
@NullMarked
package dev.ratchet.circuits.circuit;

import org.jspecify.annotations.NullMarked;
