/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Programs that are run by what was recorded of them. */
public final class RecordedPlans {

    private RecordedPlans() {}

    /** The program of the recorded plan, which is in nothing another one. */
    public static SqlProgram throughBytes(SqlProgram planned) {
        return throughBytes(planned, SqlProgram.class.getClassLoader());
    }

    static SqlProgram throughBytes(SqlProgram planned, ClassLoader functions) {
        byte[] bytes = planned.recorded();
        SqlProgram read = SqlProgram.ofRecorded(bytes, functions);
        assertThat(read.recorded()).isEqualTo(bytes);
        assertThat(read.fingerprint()).isEqualTo(planned.fingerprint());
        assertThat(ids(read)).isEqualTo(ids(planned));
        assertThat(read.tables()).isEqualTo(planned.tables());
        assertThat(read.views()).isEqualTo(planned.views());
        assertThat(read.explanation()).isEqualTo(planned.explanation());
        assertThat(read.explained()).isEqualTo(planned.explained());
        return read;
    }

    private static List<String> ids(SqlProgram program) {
        return program.plan().allNodes().stream().map(program.plan()::idOf).toList();
    }
}
