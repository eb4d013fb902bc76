/**
 * Programs that are classes of jars: loaded apart from the worker's own code, and built into what runs. What they are
 * compiled against is in {@link dev.ratchet.circuits.builder}.
 */
@NullMarked
package dev.ratchet.circuits.program;

import org.jspecify.annotations.NullMarked;
