package waymark.client.internal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import waymark.client.EventCounts;
import waymark.client.json.Json;
import waymark.client.storage.ClientStorage;

/** Stores events until the service confirms them. An event is stored when {@link #append} returns. */
public final class EventQueue {
    public static final String NAME = "events";
    /** In bytes. A file of several megabytes would be written with each event, and is not read again. */
    private static final long SIZE_LIMIT = 1024 * 1024;

    /** Events that are not confirmed, the oldest first, and how many were given up. */
    private static final class Waiting implements StoredState.Value<Waiting> {
        List<LinkEvent> events = new ArrayList<>();
        long dropped;
        long refused;

        Waiting() {}

        @Override
        public boolean read(Json json) {
            Map<String, Object> members = json.getMembers();
            List<Object> elements = Json.asArray(members.get("events"));
            if (elements == null) return false;
            for (Object element : elements) {
                LinkEvent event = LinkEvent.read(element);
                if (event == null) return false;
                events.add(event);
            }
            dropped = count(members.get("dropped"));
            refused = count(members.get("refused"));
            return true;
        }

        private static long count(Object value) {
            return value instanceof Long ? Math.max(0, (Long) value) : 0;
        }

        @Override
        public Object json() {
            List<Object> elements = new ArrayList<>();
            for (LinkEvent event : events) elements.add(event.stored());
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("events", elements);
            members.put("dropped", dropped);
            members.put("refused", refused);
            return members;
        }

        @Override
        public void add(Waiting later) {
            events.addAll(later.events);
            dropped += later.dropped;
            refused += later.refused;
        }

        /** Drops expired events, and the oldest ones above the limit. */
        void trim(int limit, long notBefore) {
            int before = events.size();
            List<LinkEvent> kept = new ArrayList<>();
            for (LinkEvent event : events) if (event.at >= notBefore) kept.add(event);
            int first = kept.size();
            long size = 0;
            // The newest event always stays.
            for (int count = 1; first > 0 && count <= limit; count++) {
                size += kept.get(first - 1).size();
                if (count > 1 && size > SIZE_LIMIT) break;
                first--;
            }
            events = new ArrayList<>(kept.subList(first, kept.size()));
            dropped += before - events.size();
        }
    }

    private final StoredState<Waiting> waiting;
    private final int countLimit;
    private final long ageLimit;

    /** @param ageLimit in seconds */
    public EventQueue(ClientStorage storage, int countLimit, long ageLimit) {
        waiting = new StoredState<>(storage, NAME, nothing -> new Waiting());
        this.countLimit = Math.max(1, countLimit);
        this.ageLimit = Math.max(0, ageLimit);
    }

    public boolean isEmpty() {
        return waiting.update(state -> state.events.isEmpty());
    }

    public EventCounts counts() {
        return waiting.update(state -> new EventCounts(state.events.size(), state.dropped, state.refused));
    }

    public void append(LinkEvent event, long now) {
        waiting.update(state -> {
            for (LinkEvent waiting : state.events) if (waiting.id.equals(event.id)) return null;
            state.events.add(event);
            state.trim(countLimit, now - ageLimit);
            return null;
        });
    }

    /** The oldest events that have not expired. */
    List<LinkEvent> batch(int size, long now) {
        return waiting.update(state -> {
            state.trim(countLimit, now - ageLimit);
            return new ArrayList<>(state.events.subList(0, Math.min(size, state.events.size())));
        });
    }

    /** @param isRefused whether the service refused the events, rather than confirmed them */
    void remove(List<LinkEvent> events, boolean isRefused) {
        Set<String> ids = new HashSet<>();
        for (LinkEvent event : events) ids.add(event.id);
        waiting.update(state -> {
            for (Iterator<LinkEvent> each = state.events.iterator(); each.hasNext();) {
                if (!ids.contains(each.next().id)) continue;
                each.remove();
                if (isRefused) state.refused++;
            }
            return null;
        });
    }
}
