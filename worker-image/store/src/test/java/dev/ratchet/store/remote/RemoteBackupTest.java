/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.store.EmbeddedOptions;
import dev.ratchet.store.EmbeddedStore;
import dev.ratchet.store.transaction.ConnectionDatabase;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A copy of a served store, taken over the network while others write. */
@Timeout(60)
class RemoteBackupTest {

    private static final int KEYS = 200;

    @TempDir
    Path directory;

    private final ServedEngine served = new ServedEngine();

    @AfterEach
    void stop() {
        served.close();
    }

    private static byte[] key(int number) {
        return Tuple.from("account", number).pack();
    }

    /** Moves amounts between accounts whose sum stays. */
    private static void transfer(Database database, int round) {
        database.run(transaction -> {
            byte[] from = transaction.get(key(round % KEYS)).join();
            byte[] to = transaction.get(key((round + 7) % KEYS)).join();
            transaction.set(key(round % KEYS), changed(from, -1));
            transaction.set(key((round + 7) % KEYS), changed(to, 1));
            return null;
        });
    }

    private static byte[] changed(byte[] value, long by) {
        byte[] after = value.clone();
        ByteBuffer.wrap(after).putLong(ByteBuffer.wrap(value).getLong() + by);
        return after;
    }

    @Test
    void aCopyHoldsOneVersionWhileOthersWrite() throws Exception {
        ManagedChannel channel = served.channel(new Identity("team-a", "orders", Kind.STORE, "orders-store-0"));
        Path file = directory.resolve("copy");
        RemoteBackup backup;
        try (Database database = new ConnectionDatabase(served.connect(), served.environment);
                FileChannel target = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int i = 0; i < KEYS; i++) {
                int number = i;
                // Large values, so that the copy travels in many pieces.
                database.run(transaction -> {
                    transaction.set(key(number), new byte[50_000]);
                    return null;
                });
            }
            AtomicLong rounds = new AtomicLong();
            backup = RemoteBackup.take(
                    channel, new Written(target, () -> transfer(database, (int) rounds.getAndIncrement())));
            assertThat(rounds.get()).isGreaterThan(1);
        } finally {
            channel.shutdownNow();
        }
        assertThat(backup.bytes()).isEqualTo(file.toFile().length()).isGreaterThan(KEYS * 50_000L);
        Path restored = directory.resolve("restored");
        EmbeddedStore.restore(file, restored, served.environment);
        try (EmbeddedStore store = EmbeddedStore.open(EmbeddedOptions.in(restored), served.environment)) {
            long sum = 0;
            for (int i = 0; i < KEYS; i++) {
                int number = i;
                sum += store.database().read(transaction -> ByteBuffer.wrap(
                                transaction.get(key(number)).join())
                        .getLong());
            }
            assertThat(sum).isZero();
        }
    }

    @Test
    void onlyWorkersAndTheStoreItselfGetOne() {
        ManagedChannel channel = served.channel(new Identity("team-a", "orders", Kind.CLIENT, "batch"));
        try (Written nowhere = new Written(null, () -> {})) {
            assertThatThrownBy(() -> RemoteBackup.take(channel, nowhere))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Use a credential of kind store or worker");
        } finally {
            channel.shutdownNow();
        }
    }

    /** Does something before each piece is written. */
    private record Written(WritableByteChannel target, Runnable before) implements WritableByteChannel {

        @Override
        public int write(ByteBuffer source) throws IOException {
            before.run();
            return target.write(source);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
