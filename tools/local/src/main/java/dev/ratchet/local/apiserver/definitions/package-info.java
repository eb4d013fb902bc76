/**
 * What a server refuses in the schema of a CustomResourceDefinition: what is not structural, defaults that are not
 * valid, rules that are no CEL, name members that do not exist or could cost too much. It follows the validation of
 * Kubernetes' apiextensions-apiserver, function by function, because its limits decide which definitions exist.
 */
@NullMarked
package dev.ratchet.local.apiserver.definitions;

import org.jspecify.annotations.NullMarked;
