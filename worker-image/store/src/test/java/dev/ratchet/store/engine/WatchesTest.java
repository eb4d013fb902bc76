/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.store.ordered.MemoryPages;
import dev.ratchet.store.ordered.OrderedTree;
import dev.ratchet.store.ordered.PagedTrees;
import dev.ratchet.store.ordered.TreeEditor;
import dev.ratchet.store.transaction.Mutation;
import dev.ratchet.store.transaction.WatchRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who waits for a key is told when it may have changed, and costs nothing once nobody waits any more. */
class WatchesTest {

    private static final int KEYS = 5_000;
    private static final byte[] VALUE = {7};

    private final DamagedPages pages = new DamagedPages();
    private final Watches watches = new Watches(Runnable::run);
    private PagedTrees.Root root;
    private History history;

    /** Pages that can be read until they are damaged. */
    private static final class DamagedPages extends MemoryPages {
        private boolean damaged;

        @Override
        public void read(long file, long offset, ByteBuffer page) throws IOException {
            if (damaged) {
                throw new IOException("damaged");
            }
            super.read(file, offset, page);
        }
    }

    @BeforeEach
    void fill() throws IOException {
        TreeEditor<byte[]> editor =
                OrderedTree.<byte[]>empty(StartingPoint::weigh).edit();
        for (int i = 0; i < KEYS; i++) {
            editor.put(key(i), VALUE);
        }
        root = new PagedTrees(pages, 1 << 20, StartingPoint::weigh).rest(editor.freeze(), 0);
        history = new History(new History.Published(1, coldTree(), false, 0), 1_000, 1_000);
    }

    private static byte[] key(int number) {
        return new byte[] {1, (byte) (number >>> 8), (byte) number};
    }

    /** A tree of which nothing but the root is in memory. */
    private OrderedTree<byte[]> coldTree() {
        return new PagedTrees(pages, 1 << 20, StartingPoint::weigh).open(root);
    }

    private CompletableFuture<Void> watch(int number) {
        return watches.add(new WatchRequest(key(number), VALUE, 1), history);
    }

    /** The next version, after a write that leaves a value as it was. */
    private void write(int number, OrderedTree<byte[]> next) {
        watches.publish(
                history,
                new History.Published(2, next, false, 0),
                List.of(new Mutation(Mutation.SET, key(number), VALUE)));
    }

    @Test
    void whatWasWrittenAndCanNotBeReadAnyMoreMayHaveChanged() {
        CompletableFuture<Void> written = watch(5);
        CompletableFuture<Void> beside = watch(6);
        OrderedTree<byte[]> next = coldTree();
        pages.damaged = true;

        write(5, next);

        assertThat(written).isCompleted();
        assertThat(beside).isNotDone();
        assertThat(watches.count()).isEqualTo(1);
    }

    @Test
    void aValueThatIsWrittenAgainIsNoChange() {
        CompletableFuture<Void> written = watch(5);

        write(5, coldTree());

        assertThat(written).isNotDone();
        assertThat(watches.count()).isEqualTo(1);
    }

    @Test
    void whatIsCancelledIsWaitedForNoMore() {
        CompletableFuture<Void> first = watch(5);
        CompletableFuture<Void> second = watch(5);
        CompletableFuture<Void> other = watch(6);
        assertThat(watches.count()).isEqualTo(3);

        first.cancel(true);
        other.cancel(true);

        assertThat(watches.count()).isEqualTo(1);
        assertThat(second).isNotDone();
    }
}
