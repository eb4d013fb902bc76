/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.MessageLite;
import com.google.protobuf.MessageOrBuilder;
import dev.ratchet.protocol.security.BoundedLog;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.sessions.v1.AskSlotsRequest;
import dev.ratchet.protocol.sessions.v1.CloseSessionRequest;
import dev.ratchet.protocol.sessions.v1.SlotsRequest;
import io.grpc.Grpc;
import io.grpc.ServerCall;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/**
 * One line for each call that was refused and for each administrative one, of the logger {@code ratchet.audit}: who did
 * what, from where. Where somebody calls as fast as he can, the lines above the bound are counted instead. Programs
 * close their sessions in the ordinary way all the time, which has a bound of its own, so that it hides nothing else.
 */
final class Audit {

    private static final int TEXT_LENGTH_MAX = 200;
    private static final int ID_BYTES = 16;
    /** The text of a longer one costs more than its call. */
    private static final int NESTED_BYTES_MAX = 4_096;
    /** As many as a worker closes at once. */
    private static final int CLOSED_MAX = 200;

    private final BoundedLog refused = new BoundedLog(LoggerFactory.getLogger("ratchet.audit"));
    private final BoundedLog done = new BoundedLog(LoggerFactory.getLogger("ratchet.audit"));
    private final BoundedLog closed = new BoundedLog(LoggerFactory.getLogger("ratchet.audit"));

    void refused(Identity caller, ServerCall<?, ?> call, String reason) {
        refused.warn(
                "Refused: caller={} method={} remote={} reason={}",
                caller,
                call.getMethodDescriptor().getFullMethodName(),
                call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR),
                reason);
    }

    void done(Identity caller, ServerCall<?, ?> call, MessageOrBuilder request) {
        done(done, caller, call, text(request));
    }

    /** Notes which sessions a request closes, if any. */
    void closed(Identity caller, ServerCall<?, ?> call, AskSlotsRequest request) {
        List<CloseSessionRequest> some = request.getRequestsList().stream()
                .filter(SlotsRequest::hasClose)
                .map(SlotsRequest::getClose)
                .toList();
        if (!some.isEmpty()) {
            done(closed, caller, call, text(some));
        }
    }

    private static void done(BoundedLog log, Identity caller, ServerCall<?, ?> call, String text) {
        log.info(
                "Administrative: caller={} method={} remote={} {}",
                caller,
                call.getMethodDescriptor().getFullMethodName(),
                call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR),
                text);
    }

    private static String text(List<CloseSessionRequest> closed) {
        return closed.stream()
                        .limit(CLOSED_MAX)
                        .map(one -> "id=" + value(one.getId()) + (one.getCancel() ? " cancel=true" : ""))
                        .collect(Collectors.joining(", "))
                + (closed.size() > CLOSED_MAX ? "+" + (closed.size() - CLOSED_MAX) : "");
    }

    /** The fields of a request but for secrets, of lists the first element and the number. */
    static String text(MessageOrBuilder request) {
        StringJoiner text = new StringJoiner(" ");
        for (Map.Entry<FieldDescriptor, Object> field : request.getAllFields().entrySet()) {
            String name = field.getKey().getName();
            if (name.endsWith("secret")) {
                continue;
            }
            if (field.getValue() instanceof List<?> list) {
                text.add(name + "=" + value(list.get(0)) + (list.size() == 1 ? "" : "+" + (list.size() - 1)));
            } else {
                text.add(name + "=" + value(field.getValue()));
            }
        }
        return shortened(text.toString());
    }

    private static String value(Object value) {
        if (value instanceof ByteString bytes) {
            return bytes.size() == ID_BYTES
                    ? new UUID(
                                    bytes.asReadOnlyByteBuffer().getLong(0),
                                    bytes.asReadOnlyByteBuffer().getLong(Long.BYTES))
                            .toString()
                    : bytes.size() + " bytes";
        }
        if (value instanceof MessageLite nested && nested.getSerializedSize() > NESTED_BYTES_MAX) {
            return nested.getSerializedSize() + " bytes";
        }
        return shortened(value.toString().replaceAll("\\s+", " "));
    }

    private static String shortened(String text) {
        return text.length() <= TEXT_LENGTH_MAX ? text : text.substring(0, TEXT_LENGTH_MAX) + "...";
    }
}
