/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What makes Services work without iptables: Endpoints that name the ready pods of each Service, and forwarders in user
 * space that listen on its address.
 */
@NullMarked
package dev.ratchet.local.proxy;

import org.jspecify.annotations.NullMarked;
