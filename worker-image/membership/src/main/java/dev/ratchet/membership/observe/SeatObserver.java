/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.observe;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.ReadTransaction;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.membership.LeaseSettings;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.MembershipCounters;
import dev.ratchet.membership.SeatWatch;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.BeatRecord;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the seats each heartbeat period and keeps what was seen of them. A seat whose beat is late is probed, so that a
 * killed process is found in about two periods instead of a whole time to live. Costs one small read per period, which
 * travels in the own heartbeat where there is one; the records themselves are only read when one has changed. Safe for
 * use by several threads; listeners run outside of its lock.
 */
public final class SeatObserver implements SeatWatch {

    private static final Logger LOG = LoggerFactory.getLogger(SeatObserver.class);
    private static final int LISTENER_LIMIT = 64;
    private static final long READ_TIMEOUT_MILLIS = 4_000;

    private final Database database;
    private final CoordinatorTable coordinators;
    private final StoredMembers members;
    private final LeaseSettings lease;
    private final Prober prober;
    private final MembershipCounters counters;
    private final Environment environment;
    private final List<DeathListener> deathListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<ClusterView>> viewListeners = new CopyOnWriteArrayList<>();

    private final Map<String, Observation> observations = new HashMap<>();
    private final Set<String> probing = new HashSet<>();
    private Map<String, MemberRecord> records = Map.of();
    private volatile ClusterView view = ClusterView.EMPTY;
    private @Nullable CompletableFuture<ClusterView> reading;
    private long newestReadVersion;
    private long lookedNanos;
    private boolean looked;
    private boolean reporting;
    private boolean stopped;

    public SeatObserver(
            Database database,
            Keyspace keyspace,
            LeaseSettings lease,
            Prober prober,
            MembershipCounters counters,
            Environment environment) {
        this.database = database;
        this.coordinators = new CoordinatorTable(keyspace);
        this.members = new StoredMembers(keyspace);
        this.lease = lease;
        this.prober = prober;
        this.counters = counters;
        this.environment = environment;
    }

    /** Begins to read each period, until {@link #stop}. */
    public void start() {
        tick();
    }

    public synchronized void stop() {
        stopped = true;
    }

    private void tick() {
        synchronized (this) {
            if (stopped) {
                return;
            }
        }
        environment.schedule(lease.beatMillis(), this::tick);
        if (isDue()) {
            refresh();
        }
    }

    /** With half a period of patience for the look that the own heartbeat carries. */
    private synchronized boolean isDue() {
        return !looked || environment.nanoTime() - lookedNanos >= lease.beatMillis() * 1_500_000;
    }

    /** A look at the seats that travels in a transaction of the caller's, made before that begins. */
    public Look look() {
        return new Look(environment.nanoTime(), new Known(records, view));
    }

    /** One look: to be read in a transaction, once for each of its tries, and taken in after its commit. */
    public final class Look {
        private final long startNanos;
        private final Known known;
        private volatile @Nullable Seen seen;

        private Look(long startNanos, Known known) {
            this.startNanos = startNanos;
            this.known = known;
        }

        /** Reads by snapshot, so that the transaction conflicts with nobody's heartbeat. */
        public CompletableFuture<Void> read(ReadTransaction transaction) {
            return SeatObserver.this.read(transaction.snapshot(), known).thenAccept(found -> seen = found);
        }

        /** The transaction was committed: what it has read is news. */
        public void done() {
            Seen found = seen;
            if (found != null) {
                takeIn(found, startNanos);
            }
        }
    }

    @Override
    public CompletableFuture<ClusterView> refresh() {
        CompletableFuture<ClusterView> result;
        long startNanos;
        synchronized (this) {
            if (reading != null) {
                return reading;
            }
            result = new CompletableFuture<>();
            reading = result;
            startNanos = environment.nanoTime();
        }
        Known known = new Known(records, view);
        GuardedCallbacks.begin(() -> database.readAsync(transaction -> {
                    transaction.options().setTimeout(READ_TIMEOUT_MILLIS);
                    return read(transaction.snapshot(), known);
                }))
                .whenCompleteAsync(
                        (seen, failure) -> GuardedCallbacks.or(
                                () -> finish(result, seen, failure, startNanos), result::completeExceptionally),
                        environment.executor());
        return result;
    }

    private CompletableFuture<Seen> read(ReadTransaction snapshot, Known known) {
        CompletableFuture<Map<String, BeatRecord>> beats = members.beats(snapshot);
        CompletableFuture<CoordinatorRecord> coordinator = coordinators.holder(snapshot);
        return members.version(snapshot).thenCompose(version -> {
            CompletableFuture<Known> current = version == known.view().membersVersion()
                    ? CompletableFuture.completedFuture(known)
                    : members.records(snapshot).thenCombine(coordinators.outgoing(snapshot), known::changed);
            return current.thenCombine(beats, (now, beatRows) -> new Seen(now, beatRows, version))
                    .thenCombine(coordinator, Seen::with)
                    .thenCombine(snapshot.getReadVersion(), Seen::at);
        });
    }

    private void finish(
            CompletableFuture<ClusterView> result, @Nullable Seen seen, @Nullable Throwable failure, long startNanos) {
        if (seen == null) {
            synchronized (this) {
                reading = null;
            }
            LOG.debug("The seats could not be read: {}", String.valueOf(failure));
            result.completeExceptionally(failure == null ? new IllegalStateException("No result") : failure);
            return;
        }
        synchronized (this) {
            reading = null;
        }
        takeIn(seen, startNanos);
        result.complete(view);
    }

    /** Takes in what a read showed, unless a newer one was taken in before. */
    private void takeIn(Seen seen, long startNanos) {
        List<Member> joined = seen.members();
        ClusterView next = new ClusterView(joined, seen.coordinator(), seen.version(), seen.outgoing());
        List<Member> late = new ArrayList<>();
        synchronized (this) {
            if (seen.readVersion() < newestReadVersion) {
                return;
            }
            newestReadVersion = seen.readVersion();
            looked = true;
            lookedNanos = startNanos;
            records = seen.records();
            view = next;
            long endNanos = environment.nanoTime();
            for (Member member : joined) {
                Observation observation = observations.computeIfAbsent(member.seat(), seat -> new Observation());
                observation.update(member, lease.observerTtlMillis() * 1_000_000, startNanos, endNanos);
                boolean isLate = observation.silentNanos() > lease.beatMillis() * 1_250_000;
                if (member.isPresent() && isLate && !observation.isDead(member.incarnation())) {
                    late.add(member);
                }
            }
        }
        GuardedCallbacks.each("suspecting a seat", late, member -> suspect(member.seat(), member.incarnation()));
        reportDeaths();
        GuardedCallbacks.each("telling how the seats are", viewListeners, listener -> listener.accept(next));
    }

    @Override
    public synchronized boolean isDead(String seat, long incarnation) {
        Observation observation = observations.get(seat);
        return observation != null && observation.isDead(incarnation);
    }

    @Override
    public synchronized OptionalLong silentMillis(String seat, long incarnation) {
        Observation observation = observations.get(seat);
        return observation == null || observation.incarnation() != incarnation
                ? OptionalLong.empty()
                : OptionalLong.of(observation.silentNanos() / 1_000_000);
    }

    /** True if the seat's beat has been late for half of a worker's time to live: it should not be given new work. */
    public synchronized boolean isSilent(String seat, long incarnation) {
        Observation observation = observations.get(seat);
        return observation != null
                && observation.incarnation() == incarnation
                && observation.silentNanos() > lease.workerTtlMillis() * 500_000;
    }

    @Override
    public void suspect(String seat, long incarnation) {
        String address;
        synchronized (this) {
            MemberRecord record = records.get(seat);
            if (stopped || record == null || record.getIncarnation() != incarnation || !probing.add(seat)) {
                return;
            }
            address = record.getAddress();
        }
        counters.probes.increment();
        GuardedCallbacks.begin(() -> prober.probe(address))
                .whenCompleteAsync(
                        (result, failure) -> probed(seat, incarnation, result == Prober.Result.REFUSED),
                        environment.executor());
    }

    @Override
    public void suspectHolder(String seat) {
        refresh().thenAccept(found -> found.member(seat).ifPresent(member -> suspect(seat, member.incarnation())));
    }

    /** Answers of many probes come together: the deaths among them are looked for once. */
    private void probed(String seat, long incarnation, boolean refused) {
        synchronized (this) {
            probing.remove(seat);
            Observation observation = observations.get(seat);
            if (!refused || observation == null) {
                return;
            }
            observation.connectionRefused(incarnation, environment.nanoTime());
            if (reporting) {
                return;
            }
            reporting = true;
        }
        environment.executor().execute(() -> {
            synchronized (this) {
                reporting = false;
            }
            reportDeaths();
        });
    }

    private void reportDeaths() {
        Map<String, Long> dead = new HashMap<>();
        synchronized (this) {
            observations.forEach((seat, observation) -> {
                if (observation.isNewlyDead()) {
                    dead.put(seat, observation.incarnation());
                }
            });
        }
        dead.forEach((seat, incarnation) -> {
            counters.deaths.increment();
            LOG.info("Another incarnation has ended or is dead: otherSeat={} otherIncarnation={}", seat, incarnation);
            GuardedCallbacks.each("telling of a death", deathListeners, listener -> listener.died(seat, incarnation));
        });
    }

    @Override
    public List<Member> latest() {
        return view.members();
    }

    @Override
    public Set<String> outgoing() {
        return view.outgoing();
    }

    /** What the last successful read showed. */
    public ClusterView view() {
        return view;
    }

    @Override
    public void addListener(DeathListener listener) {
        requireRoom(deathListeners.size());
        deathListeners.add(listener);
    }

    @Override
    public void onRead(Consumer<List<Member>> listener) {
        addViewListener(read -> listener.accept(read.members()));
    }

    /** As {@link #onRead} of all that was read. */
    public void addViewListener(Consumer<ClusterView> listener) {
        requireRoom(viewListeners.size());
        viewListeners.add(listener);
    }

    private static void requireRoom(int listeners) {
        if (listeners >= LISTENER_LIMIT) {
            throw new IllegalStateException("More than " + LISTENER_LIMIT + " listeners: one is added again and again");
        }
    }

    /** What is read again only where the members' version is another one. */
    private record Known(Map<String, MemberRecord> records, Set<String> outgoing, ClusterView view) {

        Known(Map<String, MemberRecord> records, ClusterView view) {
            this(records, view.outgoing(), view);
        }

        Known changed(Map<String, MemberRecord> read, Set<String> leaving) {
            return new Known(read, leaving, view);
        }
    }

    /** The rows of one read. */
    private record Seen(
            Map<String, MemberRecord> records,
            Set<String> outgoing,
            Map<String, BeatRecord> beats,
            long version,
            CoordinatorRecord coordinator,
            long readVersion) {

        Seen(Known known, Map<String, BeatRecord> beats, long version) {
            this(known.records(), known.outgoing(), beats, version, CoordinatorRecord.getDefaultInstance(), 0);
        }

        Seen with(CoordinatorRecord read) {
            return new Seen(records, outgoing, beats, version, read, readVersion);
        }

        Seen at(long ofVersion) {
            return new Seen(records, outgoing, beats, version, coordinator, ofVersion);
        }

        List<Member> members() {
            return StoredMembers.join(records, beats);
        }
    }
}
