/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.cluster.ComputeClusterSpec;
import java.util.regex.Pattern;

/**
 * Owns which image a cluster's pods run: the one named, else the operator's default with the tag of the wanted release.
 */
public final class Images {
    private static final Pattern NUMBERS = Pattern.compile("[.]");

    private Images() {}

    static String of(ComputeClusterSpec spec, Settings settings) {
        if (!spec.image.isEmpty()) {
            return spec.image;
        }
        if (spec.version.equals(settings.release())) {
            return settings.workerImage();
        }
        return repository(settings.workerImage()) + ":" + spec.version;
    }

    /** Whether release {@code version} is newer than {@code operator}, which then can not know how to run it. */
    public static boolean isNewer(String version, String operator) {
        int[] left = numbers(version);
        int[] right = numbers(operator);
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            if (left[i] != right[i]) {
                return left[i] > right[i];
            }
        }
        return false;
    }

    private static int[] numbers(String version) {
        int hyphen = version.indexOf('-');
        String release = hyphen < 0 ? version : version.substring(0, hyphen);
        return NUMBERS.splitAsStream(release).mapToInt(Integer::parseInt).toArray();
    }

    private static String repository(String image) {
        int digest = image.indexOf('@');
        String tagged = digest < 0 ? image : image.substring(0, digest);
        int colon = tagged.lastIndexOf(':');
        return colon > tagged.lastIndexOf('/') ? tagged.substring(0, colon) : tagged;
    }
}
