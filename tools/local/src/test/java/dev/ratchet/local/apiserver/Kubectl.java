/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The two kubectls that must work: whatever is on the path, and Debian's 1.20 where the node of the end-to-end tests
 * has been built.
 */
enum Kubectl {
    FROM_PATH {
        @Override
        Optional<Path> find() {
            for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
                Path file = Path.of(folder, "kubectl");
                if (Files.isExecutable(file)) {
                    return Optional.of(file);
                }
            }
            return Optional.empty();
        }
    },
    DEBIAN_1_20 {
        @Override
        Optional<Path> find() {
            Path cache = Path.of(System.getenv().getOrDefault("HOME", "/root"), ".cache", "ratchet", "node");
            if (!Files.isDirectory(cache)) {
                return Optional.empty();
            }
            try (DirectoryStream<Path> versions = Files.newDirectoryStream(cache, "kubernetes-1.20*")) {
                for (Path version : versions) {
                    Path file = version.resolve("bin").resolve("kubectl");
                    if (Files.isExecutable(file)) {
                        return Optional.of(file);
                    }
                }
                return Optional.empty();
            } catch (IOException e) {
                throw new IllegalStateException("the folder " + cache + " can not be read", e);
            }
        }
    };

    private static final long LIMIT_SECONDS = 60;

    abstract Optional<Path> find();

    /** How a command ended, and all that it wrote. */
    record Result(int code, String text) {
        Result ok() {
            assertThat(code).as(text).isZero();
            return this;
        }
    }

    /** Runs a command to its end. {@code home} keeps its cache; {@code input} is what it reads. */
    Result run(Path kubeconfig, Path home, String input, String... arguments) throws IOException, InterruptedException {
        Path output = Files.createTempFile(home, "kubectl", ".out");
        Process process = start(kubeconfig, home, output, arguments);
        try (var stdin = process.outputWriter(StandardCharsets.UTF_8)) {
            stdin.write(input);
        } catch (IOException e) {
            // A command that reads no input may have ended already.
            assertThat(e).hasMessageContaining("pipe");
        }
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(
                    "kubectl " + String.join(" ", arguments) + " did not end: " + Files.readString(output));
        }
        return new Result(process.exitValue(), Files.readString(output));
    }

    /** Starts a command that writes to {@code output}. */
    Process start(Path kubeconfig, Path home, Path output, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(find().orElseThrow().toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        builder.environment().put("HOME", home.toString());
        builder.environment().put("KUBE_EDITOR", "sed -i 's/replicas: 3/replicas: 5/'");
        builder.environment().put("NO_COLOR", "1");
        return builder.start();
    }
}
