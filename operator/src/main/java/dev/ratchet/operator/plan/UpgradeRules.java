/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.cluster.UpgradeGates;
import dev.ratchet.crds.cluster.UpgradePolicy;
import dev.ratchet.crds.cluster.UpgradeStrategy;
import dev.ratchet.operator.plan.SpecRules.Problem;
import dev.ratchet.operator.status.Reason;
import dev.ratchet.protocol.release.VersionRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Owns what makes an upgrade policy unacceptable: what this release can not do, and what could never end. */
final class UpgradeRules {
    private static final Pattern RELEASE = Pattern.compile("^([0-9]{1,9})\\.([0-9]{1,9})\\..*$");

    private UpgradeRules() {}

    static List<Problem> of(UpgradePolicy policy, int replicas) {
        List<Problem> problems = new ArrayList<>();
        UpgradeGates usual = new UpgradeGates();
        if (policy.gates.minStepRatePercent != usual.minStepRatePercent) {
            problems.add(
                    unsupported("spec.upgrade.gates.minStepRatePercent: this release judges no rate of steps; leave"
                            + " it unset"));
        }
        range("spec.upgrade.gates.maxFailurePercent", policy.gates.maxFailurePercent, 0, 100, problems);
        range("spec.upgrade.maxSurge", policy.maxSurge, 0, 1000, problems);
        range("spec.upgrade.maxUnavailable", policy.maxUnavailable, 0, 1000, problems);
        range("spec.upgrade.gates.maxRestarts", policy.gates.maxRestarts, 0, 1000, problems);
        range("spec.upgrade.gates.stableMillis", policy.gates.stableMillis, 0, 86_400_000, problems);
        range("spec.upgrade.gates.timeoutMillis", policy.gates.timeoutMillis, 1000, 86_400_000, problems);
        range("spec.upgrade.rollback.maxAttempts", policy.rollback.maxAttempts, 1, 10, problems);
        boolean ignored = policy.strategy == UpgradeStrategy.ALL_AT_ONCE || policy.strategy == UpgradeStrategy.IN_PLACE;
        if (!ignored && policy.maxSurge == 0 && policy.maxUnavailable == 0) {
            problems.add(invalid("spec.upgrade.maxSurge and maxUnavailable are both 0, so no worker could ever be"
                    + " replaced; raise one of them"));
        }
        int most = replicas + Math.min(replicas, policy.maxSurge);
        if (policy.strategy == UpgradeStrategy.SURGE_THEN_REMOVE && most > SpecRules.REPLICAS_MAX) {
            problems.add(invalid("spec.workers.replicas is " + replicas + " and spec.upgrade.maxSurge "
                    + policy.maxSurge + ", so an upgrade would have " + most + " workers at once, and a cluster has at"
                    + " most " + SpecRules.REPLICAS_MAX + "; lower one of them, or set maxSurge to 0 and"
                    + " maxUnavailable to 1 or more"));
        }
        if (policy.gates.stableMillis >= policy.gates.timeoutMillis) {
            problems.add(invalid("spec.upgrade.gates.stableMillis is " + policy.gates.stableMillis
                    + " and must be less than timeoutMillis, which is " + policy.gates.timeoutMillis
                    + ": no gate could ever open in time"));
        }
        return problems;
    }

    /** Two releases run beside each other during an upgrade, and only neighbours can. */
    static List<Problem> ofVersions(String before, String after) {
        Matcher left = RELEASE.matcher(before);
        Matcher right = RELEASE.matcher(after);
        if (!left.matches() || !right.matches()) {
            return List.of();
        }
        int from = Integer.parseInt(left.group(2));
        int minor = Integer.parseInt(right.group(2)) - from;
        boolean sameMajor = left.group(1).equals(right.group(1));
        if (sameMajor && Math.abs(minor) <= 1) {
            return List.of();
        }
        String way = sameMajor
                ? "go to " + left.group(1) + "." + (from + Integer.signum(minor)) + " first"
                : "create a new cluster";
        return List.of(invalid("spec.version goes from " + before + " to " + after + ", and only releases whose second"
                + " numbers differ by at most 1 can run beside each other; " + way + ", or scale to 0 first"));
    }

    /** Whether a release is of an earlier second number than another; false where that is not known. */
    static boolean isEarlier(String release, String than) {
        Matcher left = RELEASE.matcher(release);
        Matcher right = RELEASE.matcher(than);
        return left.matches()
                && right.matches()
                && left.group(1).equals(right.group(1))
                && Integer.parseInt(left.group(2)) < Integer.parseInt(right.group(2));
    }

    /**
     * What was recorded in formats of a level that a release does not read is lost on it.
     *
     * @param level that the store records; 0 if that is not known
     */
    static List<Problem> ofFormats(String version, int level) {
        Optional<VersionRange> reads = VersionRange.formatsOf(version);
        if (level == 0 || reads.isEmpty() || reads.get().contains(level)) {
            return List.of();
        }
        boolean raised = level > reads.get().newest();
        return List.of(new Problem(
                Reason.FORMAT_INCOMPATIBLE,
                "spec.version " + version + " works on format levels " + reads.get() + ", and the store is of level "
                        + level + "; "
                        + (raised
                                ? "the way back ended when the upgrade was finalized, so ask for a later release"
                                : "go to a release between the two first, and let it finalize")));
    }

    private static void range(String path, long value, long min, long max, List<Problem> problems) {
        if (value < min || value > max) {
            problems.add(invalid(path + " is " + value + " and must be from " + min + " to " + max));
        }
    }

    private static Problem invalid(String message) {
        return new Problem(Reason.INVALID_SPEC, message);
    }

    private static Problem unsupported(String message) {
        return new Problem(Reason.NOT_SUPPORTED, message);
    }
}
