/**
 * Owns which kinds there are: the built-in ones from a table, those of custom resource definitions from the
 * definitions.
 */
@NullMarked
package dev.ratchet.local.apiserver.registry;

import org.jspecify.annotations.NullMarked;
