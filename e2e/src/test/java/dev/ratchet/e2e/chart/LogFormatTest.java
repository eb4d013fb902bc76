/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.status.Status;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The variables that the chart sets decide what the operator and the workers log, and how. */
class LogFormatTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "operator/src/main/resources/logback.xml",
                "worker-image/worker/src/main/resources/ratchet-worker-logback.xml"
            })
    void everyLineOfTheFormatJsonIsAnObject(String file) throws Exception {
        LoggerContext context = configured(file, Map.of("RATCHET_LOG_FORMAT", "json", "RATCHET_LOG_LEVEL", "WARN"));
        assertThat(context.getLogger(Logger.ROOT_LOGGER_NAME).getLevel()).isEqualTo(Level.WARN);
        context.putProperty("seat", "orders-w-0");
        String line = line(context, new IOException("no\nroute"));
        assertThat(line.lines()).hasSize(1);
        JsonNode event = new ObjectMapper().readTree(line);
        assertThat(event.path("level").asText()).isEqualTo("ERROR");
        assertThat(event.path("formattedMessage").asText()).isEqualTo("a \"b\"\nc");
        assertThat(event.at("/throwable/message").asText()).isEqualTo("no\nroute");
        assertThat(event.path("timestamp").isNumber()).isTrue();
        assertThat(event.at("/context/properties/seat").asText()).isEqualTo("orders-w-0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "operator/src/main/resources/logback.xml",
                "worker-image/worker/src/main/resources/ratchet-worker-logback.xml"
            })
    void textIsTheDefaultAndIsForPeople(String file) throws Exception {
        LoggerContext context = configured(file, Map.of());
        assertThat(context.getLogger(Logger.ROOT_LOGGER_NAME).getLevel()).isEqualTo(Level.INFO);
        assertThat(line(context, new IOException("no"))).doesNotStartWith("{").contains("ERROR", "a \"b\"");
    }

    private static LoggerContext configured(String file, Map<String, String> variables) throws JoranException {
        LoggerContext context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter());
        variables.forEach(context::putProperty);
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(Chart.ROOT.resolve(file).toFile());
        assertThat(context.getStatusManager().getCopyOfStatusList())
                .filteredOn(status -> status.getLevel() > Status.WARN)
                .isEmpty();
        return context;
    }

    /** What the only appender of the root writes for an error. */
    private static String line(LoggerContext context, Throwable problem) {
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        List<Appender<ILoggingEvent>> appenders = new ArrayList<>();
        root.iteratorForAppenders().forEachRemaining(appenders::add);
        assertThat(appenders).hasSize(1);
        LoggingEvent event = new LoggingEvent("", root, Level.ERROR, "a {}\nc", problem, new Object[] {"\"b\""});
        return new String(
                ((OutputStreamAppender<ILoggingEvent>) appenders.getFirst())
                        .getEncoder()
                        .encode(event),
                StandardCharsets.UTF_8);
    }
}
