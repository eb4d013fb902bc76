/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.sessions;

import static dev.ratchet.client.SessionRef.Access.OWN;

import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Program;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.Session;
import dev.ratchet.client.SessionOptions;
import dev.ratchet.client.SessionRef;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A service that lives on one worker while the programs that start it, call it and stop it come and go: the first
 * writes the reference of its session into a file, the others read it there.
 */
public final class HostedService implements Program {

    /** For {@code ratchet submit --class}. */
    public HostedService() {}

    @Override
    public void run(Ratchet ratchet, List<String> arguments) throws Exception {
        if (arguments.size() < 2) {
            throw new InvalidInputException(
                    "Say 'start FILE', 'call FILE LINE' or 'stop FILE'; FILE has the reference of the service.");
        }
        Path file = Path.of(arguments.get(1));
        switch (arguments.getFirst()) {
            case "start" -> start(ratchet, file);
            case "call" ->
                System.out.println(call(ratchet, file, String.join(" ", arguments.subList(2, arguments.size()))));
            case "stop" -> stop(ratchet, file);
            default -> throw new InvalidInputException("There is start, call and stop, and no " + arguments.getFirst());
        }
    }

    private static void start(Ratchet ratchet, Path file) throws Exception {
        Session service = ratchet.sessions().open(SessionOptions.defaults().withDetachment());
        service.submit(EchoService::start).get();
        Files.writeString(file, service.ref(OWN).text());
    }

    private static String call(Ratchet ratchet, Path file, String line) throws Exception {
        Session service = ratchet.sessions().attach(SessionRef.parse(Files.readString(file)));
        return service.submit(() -> EchoService.call(line)).get();
    }

    private static void stop(Ratchet ratchet, Path file) throws Exception {
        try (Session service = ratchet.sessions().attach(SessionRef.parse(Files.readString(file)))) {
            service.submit(EchoService::stop).get();
        }
        Files.delete(file);
    }
}
