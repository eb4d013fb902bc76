/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Runs over files, as a user starts them. */
package dev.ratchet.circuits.run;
