/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** A program in a project of its own, to copy and begin with. */
package com.example.nearest;
