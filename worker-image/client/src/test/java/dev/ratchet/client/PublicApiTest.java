/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What a program of a user is compiled against, and what it has written down by Java serialization, stays as it is
 * recorded: a program that was built with one release runs with the next.
 */
class PublicApiTest {

    private static final Path RECORDED = Path.of("src/test/resources/dev/ratchet/client/public-api.txt");
    private static final String COMMAND =
            "./mvnw -pl worker-image/client test -Dtest=PublicApiTest -Dratchet.api.write=true";

    @Test
    void theApiIsTheRecordedOne() throws IOException, URISyntaxException, ClassNotFoundException {
        List<String> is = listing();
        if (Boolean.getBoolean("ratchet.api.write")) {
            Files.createDirectories(RECORDED.getParent());
            Files.write(RECORDED, is);
        }
        List<String> recorded = Files.readAllLines(RECORDED);
        List<String> gone = new ArrayList<>(recorded);
        gone.removeAll(is);
        assertThat(gone)
                .as("programs that were built with the release before rely on these; keep them, deprecated, until the"
                        + " second number of the release has changed twice, and only then write the list anew by: "
                        + COMMAND)
                .isEmpty();
        assertThat(is).as("what was added is written by: " + COMMAND).isEqualTo(recorded);
    }

    @Test
    void theListingHasTypesMembersConstantsAndSerializedForms() throws Exception {
        assertThat(lines(Sample.class))
                .anyMatch(line -> line.endsWith("Sample implements java.io.Serializable"))
                .anyMatch(line -> line.endsWith("int dev.ratchet.client.PublicApiTest$Sample.LIMIT = 7"))
                .anyMatch(line -> line.contains("PublicApiTest$Sample.twice(T)"))
                .anyMatch(line -> line.endsWith("serialized as 5: long number"))
                .noneMatch(line -> line.contains("hidden"));
    }

    /** Something that has all of what is listed. */
    public static final class Sample implements Serializable {
        private static final long serialVersionUID = 5;

        public static final int LIMIT = 7;

        private final long number = 1;

        public <T> T twice(T value) {
            return hidden(value);
        }

        private <T> T hidden(T value) {
            return number == 1 ? value : null;
        }
    }

    private static List<String> listing() throws IOException, URISyntaxException, ClassNotFoundException {
        Path root = Path.of(Ratchet.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<Path> files;
        try (Stream<Path> all = Files.walk(root)) {
            files = all.filter(file -> file.toString().endsWith(".class"))
                    .filter(file -> !file.endsWith("package-info.class"))
                    .toList();
        }
        TreeSet<String> names = new TreeSet<>();
        files.forEach(file -> names.add(root.relativize(file).toString().replace('/', '.')));
        List<String> lines = new ArrayList<>();
        for (String name : names) {
            Class<?> type = Class.forName(
                    name.substring(0, name.length() - ".class".length()), false, Ratchet.class.getClassLoader());
            if (isVisible(type)) {
                lines.addAll(lines(type));
            }
        }
        return lines;
    }

    private static boolean isVisible(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getEnclosingClass()) {
            if (!isVisible(each.getModifiers())) {
                return false;
            }
        }
        return !type.isAnonymousClass() && !type.isLocalClass();
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static List<String> lines(Class<?> type) {
        List<String> lines = new ArrayList<>();
        lines.add(header(type));
        TreeSet<String> members = new TreeSet<>();
        members(type.getDeclaredFields()).map(PublicApiTest::field).forEach(members::add);
        members(type.getDeclaredConstructors())
                .map(Constructor::toGenericString)
                .forEach(members::add);
        members(type.getDeclaredMethods()).map(Method::toGenericString).forEach(members::add);
        if (Serializable.class.isAssignableFrom(type) && !type.isInterface() && !type.isEnum()) {
            members.add(serialized(type));
        }
        members.forEach(member -> lines.add("  " + member));
        return lines;
    }

    private static <T extends Member> Stream<T> members(T[] declared) {
        return Arrays.stream(declared).filter(member -> isVisible(member.getModifiers()) && !member.isSynthetic());
    }

    private static String header(Class<?> type) {
        StringBuilder header = new StringBuilder(type.toGenericString());
        if (type.getGenericSuperclass() != null && type.getGenericSuperclass() != Object.class) {
            header.append(" extends ").append(type.getGenericSuperclass().getTypeName());
        }
        if (type.getGenericInterfaces().length > 0) {
            header.append(" implements ")
                    .append(Arrays.stream(type.getGenericInterfaces())
                            .map(each -> each.getTypeName())
                            .collect(Collectors.joining(", ")));
        }
        return header.toString();
    }

    /** Programs are compiled with the values of constants in them. */
    private static String field(Field field) {
        boolean isConstant = Modifier.isStatic(field.getModifiers())
                && Modifier.isFinal(field.getModifiers())
                && (field.getType().isPrimitive() || field.getType() == String.class);
        try {
            return field.toGenericString() + (isConstant ? " = " + field.get(null) : "");
        } catch (IllegalAccessException hidden) {
            return field.toGenericString();
        }
    }

    private static String serialized(Class<?> type) {
        ObjectStreamClass form = ObjectStreamClass.lookup(type);
        return "serialized as " + form.getSerialVersionUID() + ": "
                + Arrays.stream(form.getFields())
                        .map(PublicApiTest::named)
                        .sorted()
                        .collect(Collectors.joining(", "));
    }

    private static String named(ObjectStreamField field) {
        return field.getType().getName() + " " + field.getName();
    }
}
