package waymark.client.internal;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import waymark.client.json.Json;
import waymark.client.url.PortableText;

/** The idempotency keys of requests without a response. A request that is repeated after a restart keeps its key. */
public final class PendingRequests implements StoredState.Value<PendingRequests> {
    public static final String NAME = "requests";
    /** Maximum number of entries; the oldest are removed first. */
    private static final int LIMIT = 200;
    /** In seconds. The service keeps keys for 24 hours; one hour is left for retries and clocks that differ. */
    private static final long AGE = 23 * 3_600;

    private static final class Entry {
        final String fingerprint;
        final String key;
        /** Unix time in seconds. */
        final long at;

        Entry(String fingerprint, String key, long at) {
            this.fingerprint = fingerprint;
            this.key = key;
            this.at = at;
        }

        /** If the clock was set back, the entry counts as expired rather than as fresh for longer. */
        boolean isFresh(long now) {
            return at <= now && now - at >= 0 && now - at < AGE;
        }
    }

    private final List<Entry> entries = new ArrayList<>();

    /**
     * The key of the first fresh entry for the request; null if there is none.
     *
     * @param taken keys that may not be used
     */
    public String key(String fingerprint, long now, Set<String> taken) {
        for (Entry entry : entries) {
            if (entry.fingerprint.equals(fingerprint) && entry.isFresh(now) && !taken.contains(entry.key)) {
                return entry.key;
            }
        }
        return null;
    }

    public void note(String fingerprint, String key, long now) {
        for (Iterator<Entry> each = entries.iterator(); each.hasNext();) {
            if (!each.next().isFresh(now)) each.remove();
        }
        entries.add(new Entry(fingerprint, key, now));
        trim();
    }

    public void forget(String key) {
        for (Iterator<Entry> each = entries.iterator(); each.hasNext();) {
            if (each.next().key.equals(key)) each.remove();
        }
    }

    @Override
    public boolean read(Json json) {
        List<Object> elements = Json.asArray(json.getMembers().get("requests"));
        if (elements == null) return false;
        for (Object element : elements) {
            Map<String, Object> members = Json.asObject(element);
            if (members == null) return false;
            String fingerprint = Json.asString(members.get("request"));
            String key = Json.asString(members.get("key"));
            Object at = members.get("at");
            if (fingerprint == null || key == null || key.isEmpty() || !PortableText.isVisibleAscii(key)
                    || !(at instanceof Long)) return false;
            entries.add(new Entry(fingerprint, key, (Long) at));
        }
        return true;
    }

    @Override
    public Object json() {
        List<Object> elements = new ArrayList<>();
        for (Entry entry : entries) {
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("request", entry.fingerprint);
            members.put("key", entry.key);
            members.put("at", entry.at);
            elements.add(members);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("requests", elements);
        return object;
    }

    @Override
    public void add(PendingRequests later) {
        entries.addAll(later.entries);
        trim();
    }

    private void trim() {
        while (entries.size() > LIMIT) entries.remove(0);
    }
}
