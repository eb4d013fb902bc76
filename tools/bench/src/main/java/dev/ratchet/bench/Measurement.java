/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench;

/**
 * One line of a report.
 *
 * @param where what was measured, such as {@code loopback, fsync}
 * @param what the operation
 * @param size how much there was: keys, rows
 * @param clients how many worked at a time
 * @param perSecond operations per second
 * @param p50Micros median time of an operation in microseconds
 * @param p99Micros time that 99 of 100 operations did not exceed
 * @param cpuMicros processor time per operation, of client and server together
 * @param failed operations that failed
 */
public record Measurement(
        String where,
        String what,
        long size,
        int clients,
        double perSecond,
        double p50Micros,
        double p99Micros,
        double cpuMicros,
        long failed) {

    /** What a closed loop gave. */
    public static Measurement of(String where, String what, long size, int clients, ClosedLoop.Result result) {
        return new Measurement(
                where,
                what,
                size,
                clients,
                result.perSecond(),
                result.latencies().percentileNanos(0.5) / 1e3,
                result.latencies().percentileNanos(0.99) / 1e3,
                result.cpuMicros(),
                result.failed());
    }

    /** The values as words apart by tabs, for other processes. */
    public String toText() {
        return String.join(
                "\t",
                where,
                what,
                Long.toString(size),
                Integer.toString(clients),
                Double.toString(perSecond),
                Double.toString(p50Micros),
                Double.toString(p99Micros),
                Double.toString(cpuMicros),
                Long.toString(failed));
    }

    /** What {@link #toText} has written. */
    public static Measurement ofText(String text) {
        String[] words = text.split("\t", -1);
        return new Measurement(
                words[0],
                words[1],
                Long.parseLong(words[2]),
                Integer.parseInt(words[3]),
                Double.parseDouble(words[4]),
                Double.parseDouble(words[5]),
                Double.parseDouble(words[6]),
                Double.parseDouble(words[7]),
                Long.parseLong(words[8]));
    }
}
