/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.FutureRecordOrBuilder;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.futures.v1.StoredObject;
import dev.ratchet.store.keyspace.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The indexes that follow from the record of a future alone, each declared once: where a record is found. Transactions
 * write the difference between the entries of the record before and after, and the check compares the same entries with
 * what is there; nobody else writes these tables. A record that stands for no future, as a block that all have left, is
 * found nowhere.
 */
public enum FutureIndex {
    /**
     * By (phase, tenant, job, name), each future once. A phase is a state, but that claiming a QUEUED future does not
     * move it: the few that are CLAIMED are in {@link #CLAIMED}.
     */
    LISTED {
        @Override
        void entries(FutureId id, FutureRecordOrBuilder record, Consumer<List<Object>> to) {
            to.accept(List.of(
                    phase(record.getState()).getNumber(),
                    SchedulingSpecs.tenant(record),
                    record.getJob(),
                    record.getName(),
                    id.value()));
        }
    },

    /** By (phase, seat, job) of the seat that ran it last; while it runs there, it is in {@link #CLAIMED}. */
    RAN {
        @Override
        void entries(FutureId id, FutureRecordOrBuilder record, Consumer<List<Object>> to) {
            String seat = record.getClaim().getSeat();
            if (!seat.isEmpty() && record.getState() != State.STATE_CLAIMED) {
                to.accept(List.of(record.getState().getNumber(), seat, record.getJob(), id.value()));
            }
        }
    },

    /** By the incarnation that has claimed it. */
    CLAIMED {
        @Override
        void entries(FutureId id, FutureRecordOrBuilder record, Consumer<List<Object>> to) {
            if (record.getState() == State.STATE_CLAIMED) {
                to.accept(List.of(record.getClaim().getSeat(), record.getClaim().getIncarnation(), id.value()));
            }
        }
    },

    /** By each incarnation that holds a copy of its result. */
    HELD {
        @Override
        void entries(FutureId id, FutureRecordOrBuilder record, Consumer<List<Object>> to) {
            StoredObject object = record.getResult().getObject();
            for (Copy copy : object.getCopiesList()) {
                to.accept(List.of(copy.getSeat(), copy.getIncarnation(), id.value(), object.getEpoch()));
            }
        }
    },

    /** By when its retention ends, where that is to be looked at. */
    EXPIRING {
        @Override
        void entries(FutureId id, FutureRecordOrBuilder record, Consumer<List<Object>> to) {
            if (record.getExpiresWallMillis() != 0) {
                to.accept(List.of(FutureKeys.expiryShard(id), record.getExpiresWallMillis(), id.value()));
            }
        }
    },

    /** By the client with whose lease it is looked at again. */
    PARKED {
        @Override
        void entries(FutureId id, FutureRecordOrBuilder record, Consumer<List<Object>> to) {
            if (!record.getParkedFor().isEmpty()) {
                to.accept(List.of(Ids.of(record.getParkedFor()).value(), id.value()));
            }
        }
    },

    /** By the names that are bound to it; the value of an entry is its id. */
    BOUND {
        @Override
        void entries(FutureId id, FutureRecordOrBuilder record, Consumer<List<Object>> to) {
            record.getBoundNamesList().forEach(name -> to.accept(List.of(SchedulingSpecs.tenant(record), name)));
        }

        @Override
        public byte[] value(FutureId id) {
            return Ids.bytes(id).toByteArray();
        }
    };

    /** All phases, in the order of their entries. */
    public static final List<State> PHASES = List.of(
            State.STATE_WAITING,
            State.STATE_DELAYED,
            State.STATE_QUEUED,
            State.STATE_ASSIGNED,
            State.STATE_REALIZED,
            State.STATE_FAILED,
            State.STATE_CANCELLED,
            State.STATE_LOST,
            State.STATE_DELETED);

    private static final List<FutureIndex> ALL = List.of(values());

    /** Where its entries are. */
    public Table<byte[]> table(FutureKeys keys) {
        return switch (this) {
            case LISTED -> keys.listed;
            case RAN -> keys.ran;
            case CLAIMED -> keys.claims;
            case HELD -> keys.held;
            case EXPIRING -> keys.expiries;
            case PARKED -> keys.parked;
            case BOUND -> keys.bound;
        };
    }

    /** All of them. */
    public static List<FutureIndex> all() {
        return ALL;
    }

    /** Under what a future in this state is listed. */
    public static State phase(State state) {
        return state == State.STATE_CLAIMED ? State.STATE_QUEUED : state;
    }

    /** The elements of the keys of a record that stands for a future. */
    abstract void entries(FutureId id, FutureRecordOrBuilder record, Consumer<List<Object>> to);

    /** The entries of a record, by the elements of their keys. */
    public List<List<Object>> entries(FutureId id, FutureRecordOrBuilder record) {
        List<List<Object>> entries = new ArrayList<>(1);
        if (BlockFutures.count(record) > 0) {
            entries(id, record, entries::add);
        }
        return entries;
    }

    /** The keys of the entries of a record. */
    public List<byte[]> keys(FutureKeys keys, FutureId id, FutureRecordOrBuilder record) {
        return entries(id, record).stream()
                .map(entry -> table(keys).key(entry.toArray()))
                .toList();
    }

    /** What an entry of this future says beside its key. */
    public byte[] value(FutureId id) {
        return FutureKeys.PRESENT;
    }
}
