/** Owns the tests of the stand-in that need more than requests: stock clients, files, failures. */
@NullMarked
package dev.ratchet.local.apiserver;

import org.jspecify.annotations.NullMarked;
