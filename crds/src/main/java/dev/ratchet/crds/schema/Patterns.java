/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.schema;

/** Regular expressions of the schema, in the syntax that RE2 and java.util.regex share. */
public final class Patterns {
    /** A DNS label that may start a Service name as well. */
    public static final String LABEL = "^[a-z]([-a-z0-9]*[a-z0-9])?$";

    /** Name of a Kubernetes object: DNS labels separated by dots. */
    public static final String OBJECT_NAME = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

    /** {@link #OBJECT_NAME} or nothing. */
    public static final String OPTIONAL_OBJECT_NAME =
            "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)?$";

    /** Key of a ConfigMap or Secret. */
    public static final String DATA_KEY = "^[-._a-zA-Z0-9]+$";

    /** A release: three numbers, then perhaps a pre-release. */
    public static final String VERSION = "^[0-9]+\\.[0-9]+\\.[0-9]+(-[0-9A-Za-z][-.0-9A-Za-z]*)?$";

    /** A quantity of Kubernetes that is not negative, such as 500m, 16Gi or 1e3. */
    public static final String QUANTITY =
            "^\\+?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][-+]?[0-9]+)?$";

    /** Digest of an artifact. */
    public static final String SHA256 = "^sha256:[0-9a-f]{64}$";

    /** Full name of a Java class. */
    public static final String CLASS_NAME = "^[A-Za-z_$][A-Za-z0-9_$]*(\\.[A-Za-z_$][A-Za-z0-9_$]*)*$";

    /** A path that begins at the root. */
    public static final String ABSOLUTE_PATH = "^/.*$";

    /** A name in a circuit program. */
    public static final String IDENTIFIER = "^[A-Za-z_][A-Za-z0-9_]*$";

    /** A time in UTC as RFC 3339 writes it, or nothing. */
    public static final String OPTIONAL_TIME =
            "^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?Z)?$";

    /** The powers of two up to 65536, as a list of CEL. */
    public static final String POWERS_OF_TWO =
            "[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536]";

    private Patterns() {}
}
