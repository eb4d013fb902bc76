/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

/**
 * Where a node rests. The checksum is kept apart from the page that it is of, in the page above it, so that a write
 * which the disk has lost or put elsewhere is noticed too.
 *
 * @param file number of the file
 * @param offset of the page in it, in bytes
 * @param length of the page, in bytes
 * @param checksum CRC-32C of the page
 * @param subtreeBytes sum of the lengths of this page and of all below it
 * @param oldestFile lowest number of a file that holds this page or one below it
 */
public record Place(long file, long offset, int length, int checksum, long subtreeBytes, long oldestFile) {}
