/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.cli.view.OutputMixin;
import dev.ratchet.cli.view.View;
import dev.ratchet.futures.client.GatewayConnection;
import java.io.PrintWriter;
import picocli.CommandLine.Mixin;

/** A command that shows something of a cluster: as text, JSON or YAML, once or with what changes. */
abstract class ViewCommand extends GatewayCommand {

    @Mixin
    private OutputMixin output;

    /** What there is to show now. */
    abstract View look(GatewayConnection gateway);

    @Override
    final int ask(GatewayConnection gateway, PrintWriter out) throws InterruptedException {
        output.show(() -> look(gateway));
        return 0;
    }
}
