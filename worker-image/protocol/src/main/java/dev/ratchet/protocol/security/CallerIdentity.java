/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import io.grpc.Context;

/** The proved identity of whoever made the call that the current gRPC context belongs to. */
public final class CallerIdentity {

    /** Set for every call that reaches a service; tests of services without transport set it themselves. */
    public static final Context.Key<Identity> KEY = Context.key("ratchet-caller");

    /** Set for calls of those who may change only what belongs to one tenant, of which this is the name. */
    public static final Context.Key<String> TENANT = Context.key("ratchet-tenant");

    private CallerIdentity() {}

    /**
     * The caller of the current call.
     *
     * @throws IllegalStateException outside a call, or where the service was mounted without {@link TransportSecurity}
     */
    public static Identity current() {
        Identity caller = KEY.get();
        if (caller == null) {
            throw new IllegalStateException(
                    "No caller in this context: ask on the thread of the call, in a server made by"
                            + " TransportSecurity.serverBuilder");
        }
        return caller;
    }
}
