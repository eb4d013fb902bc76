/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.protocol.client.v1.GatewayGrpc;
import io.grpc.MethodDescriptor;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a client may do. */
enum ClientRole {
    /** Looks at everything, and changes nothing. */
    READ,

    /** Looks at what concerns its tenant, and changes that. */
    SUBMIT,

    /** Does everything that clients can. */
    ADMIN;

    private static final Set<String> OF_BOTH = names(
            GatewayGrpc.getHelloMethod(),
            GatewayGrpc.getAwaitMethod(),
            GatewayGrpc.getFetchMethod(),
            GatewayGrpc.getReadItemsMethod(),
            GatewayGrpc.getAttachMethod(),
            GatewayGrpc.getDetachMethod(),
            GatewayGrpc.getListMethod(),
            GatewayGrpc.getSummaryMethod(),
            GatewayGrpc.getStatusMethod(),
            GatewayGrpc.getDescribeMethod(),
            GatewayGrpc.getDescribeSessionMethod(),
            GatewayGrpc.getListSessionsMethod(),
            GatewayGrpc.getLogsMethod(),
            GatewayGrpc.getReadViewsMethod(),
            GatewayGrpc.getFollowViewMethod(),
            GatewayGrpc.getDescribeProducerMethod());
    private static final Set<String> OF_READ = names(GatewayGrpc.getListObjectsMethod(), GatewayGrpc.getCheckMethod());
    private static final Set<String> OF_SUBMIT = names(
            GatewayGrpc.getMissingArtifactsMethod(),
            GatewayGrpc.getUploadArtifactMethod(),
            GatewayGrpc.getUploadContentMethod(),
            GatewayGrpc.getSubmitMethod(),
            GatewayGrpc.getSubmitSpeculativelyMethod(),
            GatewayGrpc.getCancelMethod(),
            GatewayGrpc.getDeleteMethod(),
            GatewayGrpc.getPutMethod(),
            GatewayGrpc.getHoldMethod(),
            GatewayGrpc.getBindMethod(),
            GatewayGrpc.getAskSessionsMethod(),
            GatewayGrpc.getOpenSessionMethod(),
            GatewayGrpc.getCloseSessionMethod(),
            GatewayGrpc.getPrioritizeMethod(),
            GatewayGrpc.getAddRowsMethod());

    private static Set<String> names(MethodDescriptor<?, ?>... methods) {
        return Stream.of(methods).map(MethodDescriptor::getFullMethodName).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether clients of this role may call a method of the gateway, by its full name. */
    boolean allows(String method) {
        return switch (this) {
            case READ -> OF_BOTH.contains(method) || OF_READ.contains(method);
            case SUBMIT -> OF_BOTH.contains(method) || OF_SUBMIT.contains(method);
            case ADMIN -> true;
        };
    }

    /** The role as the cluster's specification names it. */
    String word() {
        return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }

    /** @throws IllegalArgumentException if there is none of this name */
    static ClientRole of(String word) {
        for (ClientRole role : values()) {
            if (role.word().equals(word)) {
                return role;
            }
        }
        throw new IllegalArgumentException("\"roles\" are "
                + Stream.of(values()).map(ClientRole::word).collect(Collectors.joining(", ")) + ", and not '" + word
                + "'");
    }
}
