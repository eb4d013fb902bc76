/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.source;

import dev.ratchet.circuits.run.RowBatches.RowBatch;
import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.dataflow.InputSource;
import dev.ratchet.dataflow.TableRows;
import dev.ratchet.dataflow.log.StoredInputLog;
import dev.ratchet.environment.Environment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The files of a folder, one after the other in the order of their names. Each is a producer of its own, named after
 * the file and its content, whose sequence is the number of its bytes that are there: so whoever goes on does so behind
 * the last row, and a file is taken once, whoever looks at it.
 */
final class FolderSource implements Source {

    private final InputSource.Files files;
    private final StoredInputLog log;
    private final Supplier<CompiledProgram> program;
    private final Environment environment;
    private final Folder folder;
    private @Nullable OpenFile open;

    FolderSource(
            InputSource.Files files, StoredInputLog log, Supplier<CompiledProgram> program, Environment environment) {
        this.files = files;
        this.log = log;
        this.program = program;
        this.environment = environment;
        this.folder = new Folder(files.folder());
    }

    @Override
    public CompletableFuture<Long> look() {
        String table = SourceTables.named(program.get(), files.name()).name();
        try {
            OpenFile file = open;
            if (file == null) {
                Optional<Folder.Found> next = folder.next();
                if (next.isEmpty()) {
                    return CompletableFuture.completedFuture(files.periodMillis());
                }
                file = new OpenFile(
                        next.get(), new SourceLog(log, table + "/" + next.get().title()));
                open = file;
            }
            OpenFile current = file;
            return current.log()
                    .last()
                    .thenComposeAsync(last -> take(current, table, last), environment.blockingExecutor());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private CompletableFuture<Long> take(OpenFile file, String table, long last) {
        RowBatch batch;
        try {
            if (!file.isAt(last)) {
                // Somebody else has gone on with it.
                close();
                return CompletableFuture.completedFuture(0L);
            }
            batch = file.behind(last);
        } catch (IOException e) {
            close();
            throw new UncheckedIOException(e);
        } catch (IllegalArgumentException unfit) {
            close();
            throw unfit;
        }
        if (batch == null) {
            folder.taken(file.found());
            close();
            return CompletableFuture.completedFuture(0L);
        }
        TableRows rows = new TableRows(table, file.found().format(), batch.rows(), batch.linesBefore());
        return file.log().append(batch.end(), List.of(rows)).handle((appended, failure) -> {
            if (failure == null) {
                return 0L;
            }
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            if (cause instanceof IllegalArgumentException unfit) {
                close();
                throw new IllegalArgumentException(
                        "the file " + file.found().path() + " can not be added: " + unfit.getMessage(), unfit);
            }
            throw new CompletionException(cause);
        });
    }

    @Override
    public void close() {
        OpenFile file = open;
        open = null;
        if (file != null) {
            file.close();
        }
    }
}
