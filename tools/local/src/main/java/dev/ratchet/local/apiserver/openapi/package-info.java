/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Owns the published schemas: OpenAPI v2 as JSON and as protobuf, OpenAPI v3. */
@NullMarked
package dev.ratchet.local.apiserver.openapi;

import org.jspecify.annotations.NullMarked;
