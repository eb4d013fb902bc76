/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.sessions;

import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Program;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SessionOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * Fetches a file by HTTP, compresses it and sends it away by HTTP: three tasks that must run on one machine, because
 * each finds on its disk what the one before has left there.
 */
public final class FileProcessing implements Program {

    /** For {@code ratchet submit --class}. */
    public FileProcessing() {}

    @Override
    public void run(Ratchet ratchet, List<String> arguments) throws Exception {
        if (arguments.size() != 2) {
            throw new InvalidInputException("Name the address of a file, and where the compressed one is to be put.");
        }
        System.out.println(process(ratchet, arguments.get(0), arguments.get(1)) + " bytes were sent");
    }

    private static long process(Ratchet ratchet, String from, String to) throws Exception {
        return ratchet.sessions().run(SessionOptions.ofSlot("disk"), 3, session -> {
            String file = session.submit(() -> download(from)).get();
            String result = session.submit(() -> compress(file)).get();
            return session.submit(() -> upload(result, to)).get();
        });
    }

    private static String download(String from) throws IOException {
        Path file = Files.createTempFile("fetched", "");
        try (InputStream content = URI.create(from).toURL().openStream();
                OutputStream out = Files.newOutputStream(file)) {
            content.transferTo(out);
        }
        return file.toString();
    }

    private static String compress(String file) throws IOException {
        Path result = Path.of(file + ".gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(result))) {
            Files.copy(Path.of(file), out);
        }
        Files.delete(Path.of(file));
        return result.toString();
    }

    private static long upload(String result, String to) throws IOException, InterruptedException {
        Path file = Path.of(result);
        long bytes = Files.size(file);
        HttpRequest put = HttpRequest.newBuilder(URI.create(to))
                .PUT(BodyPublishers.ofFile(file))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            int status = client.send(put, BodyHandlers.discarding()).statusCode();
            if (status / 100 != 2) {
                throw new IOException(to + " answers " + status);
            }
        }
        Files.delete(file);
        return bytes;
    }
}
