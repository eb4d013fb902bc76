/**
 * Owns what may be done with objects and what it means: create, update, patch, apply, delete; the rules of single
 * built-in kinds.
 */
@NullMarked
package dev.ratchet.local.apiserver.objects;

import org.jspecify.annotations.NullMarked;
