/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.model;

/**
 * One column of the table form of a kind.
 *
 * @param type {@code string}, {@code integer}, {@code number}, {@code boolean} or {@code date}
 * @param priority 0 is always shown, more only with {@code -o wide}
 * @param source a JSON path such as {@code .spec.replicas}, or the name of a computed cell
 */
public record PrinterColumn(String name, String type, String format, String description, int priority, String source) {}
