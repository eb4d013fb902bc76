/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.protocol.client.v1.FutureDescription;
import dev.ratchet.protocol.client.v1.ListRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ratchet trace}: when and where the futures of a job ran, for tools that draw that. */
@Command(
        name = "trace",
        description = "Writes when and where the futures of a job ran: for chrome://tracing and ui.perfetto.dev, or as"
                + " OpenTelemetry spans.",
        mixinStandardHelpOptions = true)
final class TraceCommand extends GatewayCommand {

    private static final int FUTURES_MAX = 1_000_000;

    enum Format {
        chrome,
        otlp
    }

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "chrome, or otlp for OTLP/JSON (default: ${DEFAULT-VALUE})")
    private Format format = Format.chrome;

    @Option(names = "--output", required = true, paramLabel = "FILE", description = "where to write it")
    private Path output;

    @Parameters(paramLabel = "JOB", description = "name of a job")
    private String job;

    @Override
    void check() {
        requireValue("JOB", job);
    }

    @Override
    int ask(GatewayConnection gateway, PrintWriter out) {
        List<FutureDescription> futures = new ArrayList<>();
        FutureFilter.read(gateway, ListRequest.newBuilder().setJob(job), future -> {
            futures.add(future);
            return futures.size() < FUTURES_MAX;
        });
        long now = System.currentTimeMillis();
        if (futures.isEmpty()) {
            throw new InvalidInputException("There is no job " + job + ". See ratchet status.");
        }
        futures.sort(Comparator.comparingLong(FutureDescription::getClaimedWallMillis)
                .thenComparingLong(FutureDescription::getSubmittedWallMillis));
        try (OutputStream file = Files.newOutputStream(output);
                JsonGenerator json = new JsonFactory().createGenerator(file)) {
            switch (format) {
                case chrome -> ChromeTrace.write(futures, now, json);
                case otlp -> SpanTrace.write(job, futures, now, json);
            }
        } catch (IOException unwritable) {
            throw new InvalidInputException("The file " + output + " can not be written: "
                    + (unwritable instanceof NoSuchFileException
                            ? "there is no directory " + output.toAbsolutePath().getParent()
                            : unwritable.getMessage()));
        }
        out.println(futures.size() + " futures in " + output);
        return 0;
    }
}
