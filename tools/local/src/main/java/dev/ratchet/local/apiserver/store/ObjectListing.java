/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Objects of one kind as they all were at one version, sorted by namespace and name. */
public record ObjectListing(List<ObjectNode> objects, long version) {}
