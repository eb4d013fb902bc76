/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.release;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Owns what a build knows of itself, written into {@code release.properties} by Maven, packaged or not. */
public final class Release {

    private static final Properties KNOWN = read();

    /** Such as {@code 0.2.0}. */
    public static final String VERSION = KNOWN.getProperty("version");

    /** Such as {@code commit 0123456789ab}; {@code unknown commit} of sources without a repository. */
    public static final String COMMIT = commit(KNOWN.getProperty("commit"), KNOWN.getProperty("changed"));

    private Release() {}

    /** Version and commit as one text. */
    public static String text() {
        return VERSION + " (" + COMMIT + ")";
    }

    static String commit(String commit, String changed) {
        if (commit.isEmpty()) {
            return "unknown commit";
        }
        return "commit " + commit + (changed.equals("true") ? ", changed" : "");
    }

    private static Properties read() {
        Properties properties = new Properties();
        try (InputStream in = Release.class.getResourceAsStream("release.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties;
    }
}
