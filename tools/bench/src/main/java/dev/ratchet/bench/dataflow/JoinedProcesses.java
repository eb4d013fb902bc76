/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import dev.ratchet.bench.Directories;
import dev.ratchet.bench.cluster.JavaProcess;
import dev.ratchet.protocol.security.TestAuthority;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Processes that know one another's addresses and do the same at a time. */
final class JoinedProcesses implements AutoCloseable {

    private final Path directory;
    private final List<JavaProcess> processes = new ArrayList<>();
    private final List<BufferedReader> outputs = new ArrayList<>();

    /**
     * Starts them and tells each the addresses of all.
     *
     * @param arguments of each; number and directory of the credential come behind the first one
     */
    JoinedProcesses(Path parent, Class<?> main, int count, List<String> options, String... arguments)
            throws IOException {
        directory = Files.createTempDirectory(Files.createDirectories(parent), "ratchet-bench-");
        TestAuthority authority = new TestAuthority("bench-ca");
        List<String> addresses = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            Path credential = directory.resolve("tls-" + number);
            authority.issue(MeetingProcess.identity(number)).writeTo(credential);
            List<String> own = new ArrayList<>(List.of(arguments));
            own.addAll(Math.min(1, own.size()), List.of(Integer.toString(number), credential.toString()));
            JavaProcess process =
                    JavaProcess.talking(options, directory.resolve(number + ".log"), main, own.toArray(String[]::new));
            processes.add(process);
            outputs.add(process.output());
            addresses.add(answer(number));
        }
        tell(String.join(" ", addresses));
    }

    void tell(String order) {
        processes.forEach(process -> process.tell(order));
    }

    /** The next line of each, as numbers. */
    List<long[]> answers() throws IOException {
        List<long[]> answers = new ArrayList<>();
        for (int number = 0; number < processes.size(); number++) {
            answers.add(Arrays.stream(answer(number).split(" ", -1))
                    .mapToLong(Long::parseLong)
                    .toArray());
        }
        return answers;
    }

    private String answer(int number) throws IOException {
        for (String line = outputs.get(number).readLine();
                line != null;
                line = outputs.get(number).readLine()) {
            if (line.startsWith(MeetingProcess.SAYS)) {
                return line.substring(MeetingProcess.SAYS.length());
            }
        }
        throw new IOException(
                "Process " + number + " has ended: " + Files.readString(directory.resolve(number + ".log")));
    }

    @Override
    public void close() throws IOException {
        processes.forEach(JavaProcess::kill);
        Directories.delete(directory);
    }
}
