/**
 * Owns the requests that a real API server and the stand-in must answer alike. The suite runs against any kubeconfig;
 * what a server is too old for is named where it is left out.
 */
@NullMarked
package dev.ratchet.local.conformance;

import org.jspecify.annotations.NullMarked;
