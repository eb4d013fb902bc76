/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Commands talk to people: only warnings go to standard error, a line each. Logback finds this class by itself, in
 * every process that has the command line on its class path; it does nothing where {@link #choose} was not called. In
 * code, because a configuration in XML takes a command that ends soon a tenth of its time.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class CommandLogging extends ContextAwareBase implements Configurator {

    private static volatile boolean chosen;

    /** For Logback. */
    public CommandLogging() {}

    /** This process is a command's. To be called before anything is logged. */
    static void choose() {
        chosen = true;
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (!chosen) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        Line line = new Line();
        line.setContext(context);
        line.start();
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        encoder.setLayout(line);
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget(ConsoleTarget.SystemErr.getName());
        appender.setEncoder(encoder);
        appender.start();
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(appender);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Level, class and message, then the stack where there is one. */
    private static final class Line extends LayoutBase<ILoggingEvent> {
        @Override
        public String doLayout(ILoggingEvent event) {
            String name = event.getLoggerName();
            String line = event.getLevel() + " " + name.substring(name.lastIndexOf('.') + 1) + " "
                    + event.getFormattedMessage() + System.lineSeparator();
            return event.getThrowableProxy() == null
                    ? line
                    : line + ThrowableProxyUtil.asString(event.getThrowableProxy());
        }
    }
}
