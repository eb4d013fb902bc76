/** How programs are said in Java: streams of rows and what is computed from them, turned into a plan. */
@NullMarked
package dev.ratchet.circuits.builder;

import org.jspecify.annotations.NullMarked;
