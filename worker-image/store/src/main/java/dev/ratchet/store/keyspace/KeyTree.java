/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

import java.util.List;

/**
 * The tables of one module. Named in {@code META-INF/services/dev.ratchet.store.keyspace.KeyTree}, so that tools print
 * whatever modules are on their class path.
 */
public interface KeyTree {
    List<TableSchema<?>> tables();
}
