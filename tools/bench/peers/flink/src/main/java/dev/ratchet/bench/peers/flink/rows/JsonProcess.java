/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.flink.rows;

import com.sun.management.OperatingSystemMXBean;
import dev.ratchet.bench.Measurement;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.formats.common.TimestampFormat;
import org.apache.flink.formats.json.JsonParserRowDataDeserializationSchema;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.util.Collector;

/** How many lines Flink's JSON format makes rows of in a second, on one thread. */
public final class JsonProcess {

    private static final int PRECISION = 10;
    private static final int SCALE = 2;

    private JsonProcess() {}

    /** Arguments: file of lines, what they are called, milliseconds for the compiler, milliseconds. */
    public static void main(String[] arguments) throws Exception {
        List<byte[]> lines = lines(Files.readAllBytes(Path.of(arguments[0])));
        measure(lines, Long.parseLong(arguments[2]));
        long cpuBefore = cpuNanos();
        long began = System.nanoTime();
        long rows = measure(lines, Long.parseLong(arguments[3]));
        double perSecond = rows * 1e9 / (System.nanoTime() - began);
        double cpuMicros = (cpuNanos() - cpuBefore) / 1e3 / rows;
        int bytes = lines.stream().mapToInt(line -> line.length).sum() / lines.size();
        System.out.println("result\t"
                + new Measurement("flink, json", arguments[1], bytes, 1, perSecond, 0, 0, cpuMicros, 0).toText());
    }

    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static List<byte[]> lines(byte[] text) {
        List<byte[]> lines = new ArrayList<>();
        int from = 0;
        for (int at = 0; at < text.length; at++) {
            if (text[at] == '\n') {
                lines.add(Arrays.copyOfRange(text, from, at));
                from = at + 1;
            }
        }
        return lines;
    }

    private static long measure(List<byte[]> lines, long millis) throws Exception {
        RowType columns = RowType.of(
                new LogicalType[] {
                    new BigIntType(false),
                    new TimestampType(false, 3),
                    new VarCharType(false, VarCharType.MAX_LENGTH),
                    new DecimalType(PRECISION, SCALE)
                },
                new String[] {"k", "at", "name", "price"});
        // What 'format' = 'json' makes by default, with the parser in place of a tree.
        JsonParserRowDataDeserializationSchema schema = new JsonParserRowDataDeserializationSchema(
                columns, InternalTypeInfo.of(columns), false, false, TimestampFormat.SQL);
        schema.open(null);
        Sum sum = new Sum();
        long rows = 0;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < end) {
            for (byte[] line : lines) {
                schema.deserialize(line, sum);
            }
            rows += lines.size();
        }
        if (sum.rows != rows) {
            throw new IllegalStateException("Of " + rows + " lines " + sum.rows + " became rows");
        }
        return rows;
    }

    /** Looks at each row, as whoever takes it would. */
    private static final class Sum implements Collector<RowData> {
        private long rows;
        private long keys;

        @Override
        public void collect(RowData row) {
            rows++;
            keys += row.getLong(0);
        }

        @Override
        public void close() {
            if (keys < 0) {
                throw new IllegalStateException("Keys are not negative");
            }
        }
    }
}
