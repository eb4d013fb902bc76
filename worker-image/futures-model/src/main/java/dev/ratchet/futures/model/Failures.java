/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.model;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.protocol.futures.v1.Failure;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Failures as they are recorded: as text, within limits, so that reading them needs no class of the user's. */
public final class Failures {

    private static final int MESSAGE_CHARS_MAX = 4_000;
    private static final int TRACE_CHARS_MAX = 16_000;
    private static final int TYPES_MAX = 16;

    private Failures() {}

    /** What the user's code threw, or what loading it threw. */
    public static Failure of(FailureKind kind, Throwable thrown, String seat) {
        return Failure.newBuilder()
                .setKind(kind)
                .setType(thrown.getClass().getName())
                .setMessage(cut(message(thrown), MESSAGE_CHARS_MAX))
                .setStackTrace(cut(trace(thrown), TRACE_CHARS_MAX))
                .setSeat(seat)
                .addAllTypes(types(thrown))
                .build();
    }

    /** What an exception says; of one that says nothing what its cause says. Code of users may fail at that, too. */
    private static String message(Throwable thrown) {
        try {
            String message = thrown.getMessage();
            if (message != null && !message.isEmpty()) {
                return message;
            }
            return thrown.getCause() == null ? "" : String.valueOf(thrown.getCause());
        } catch (RuntimeException | StackOverflowError broken) {
            return "its message can not be had: " + broken.getClass().getName();
        }
    }

    /** As far as it can be had: a long chain of causes overflows the stack. */
    private static String trace(Throwable thrown) {
        StringWriter trace = new StringWriter();
        try {
            thrown.printStackTrace(new PrintWriter(trace));
        } catch (RuntimeException | StackOverflowError broken) {
            trace.append("...");
        }
        return trace.toString();
    }

    /** A failure without an exception. */
    public static Failure of(FailureKind kind, String type, String message, String seat) {
        return Failure.newBuilder()
                .setKind(kind)
                .setType(type)
                .setMessage(cut(message, MESSAGE_CHARS_MAX))
                .setSeat(seat)
                .build();
    }

    /**
     * The failure of a future whose upstream has none to give: names the root of the failure, not the nearest link.
     *
     * @param record of the upstream, if it is known
     */
    public static Failure ofUpstream(FutureId upstream, Optional<FutureRecord> record, String seat) {
        Failure cause = record.map(FutureRecord::getFailure).orElse(Failure.getDefaultInstance());
        String state = record.map(found -> Lifecycle.word(found.getState())).orElse("unknown");
        boolean inherited = cause.getKind() == FailureKind.FAILURE_KIND_UPSTREAM;
        ByteString root = inherited ? cause.getUpstream() : Ids.bytes(upstream);
        String reason = inherited ? cause.getMessage() : upstream + " is " + state + describe(cause);
        return Failure.newBuilder()
                .setKind(FailureKind.FAILURE_KIND_UPSTREAM)
                .setType("dev.ratchet.client.UpstreamDependencyFailedException")
                .setMessage(cut(reason, MESSAGE_CHARS_MAX))
                .setUpstream(root)
                .setSeat(seat)
                .build();
    }

    private static List<String> types(Throwable thrown) {
        List<String> types = new ArrayList<>();
        for (Class<?> type = thrown.getClass(); type != null && types.size() < TYPES_MAX; type = type.getSuperclass()) {
            types.add(type.getName());
        }
        return types;
    }

    private static String describe(Failure cause) {
        return cause.getType().isEmpty() ? "" : " with " + text(cause);
    }

    /** What was thrown, in one line. */
    public static String text(Failure failure) {
        return failure.getMessage().isEmpty() ? failure.getType() : failure.getType() + ": " + failure.getMessage();
    }

    private static String cut(String text, int limit) {
        return text.length() <= limit ? text : text.substring(0, limit) + "...";
    }
}
