/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The gRPC services of membership, and the calls to those of other workers. */
@NullMarked
package dev.ratchet.membership.service;

import org.jspecify.annotations.NullMarked;
