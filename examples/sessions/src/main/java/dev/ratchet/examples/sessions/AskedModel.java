/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.sessions;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Program;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.Session;
import dev.ratchet.client.SessionOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Loads a model into the memory of one worker, once, and asks it many times; nobody else has the GPU meanwhile. */
public final class AskedModel implements Program {

    /** For {@code ratchet submit --class}. */
    public AskedModel() {}

    @Override
    public void run(Ratchet ratchet, List<String> arguments) throws Exception {
        if (arguments.size() < 2) {
            throw new InvalidInputException("Name a file of text, and words whose followers are asked for.");
        }
        List<String> words = arguments.subList(1, arguments.size());
        List<String> answers = ask(ratchet, Files.readString(Path.of(arguments.getFirst())), words);
        for (int i = 0; i < words.size(); i++) {
            System.out.println(words.get(i) + " " + answers.get(i));
        }
    }

    private static List<String> ask(Ratchet ratchet, String text, List<String> words) throws InterruptedException {
        try (Session session = ratchet.sessions().open(SessionOptions.ofSlot("gpu"))) {
            session.submit(() -> Followers.load(text)).get();
            List<DurableFuture<String>> answers = words.stream()
                    .map(word -> session.submit(() -> Followers.after(word)))
                    .toList();
            List<String> all = ratchet.awaitAll(answers);
            System.out.println("loaded " + session.submit(Followers::loads).get() + " time(s)");
            return all;
        }
    }
}
