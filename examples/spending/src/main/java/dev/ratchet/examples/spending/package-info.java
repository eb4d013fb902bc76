/** A circuit whose program is a class. */
@NullMarked
package dev.ratchet.examples.spending;

import org.jspecify.annotations.NullMarked;
