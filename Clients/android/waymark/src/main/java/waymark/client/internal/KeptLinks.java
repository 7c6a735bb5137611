package waymark.client.internal;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import waymark.client.Clock;
import waymark.client.json.Json;
import waymark.client.storage.ClientStorage;

/**
 * The stored links that the person has not seen: that of the installation, and the last other one that was opened. They
 * are kept for 30 days, and are not given again once their target has been started three times without an end: it would
 * end the app at every start. May be used from any thread.
 */
public final class KeptLinks {
    public static final String NAME = "links";
    /** In seconds. */
    private static final long AGE = 30 * 86_400;
    private static final int STARTS = 3;

    private static final class Stored implements StoredState.Value<Stored> {
        KeptLink installation;
        KeptLink current;

        @Override
        public boolean read(Json json) {
            installation = KeptLink.read(json.memberText("installation"));
            current = KeptLink.read(json.memberText("current"));
            return true;
        }

        @Override
        public Object json() {
            Map<String, Object> members = new LinkedHashMap<>();
            if (installation != null) members.put("installation", installation.json());
            if (current != null) members.put("current", current.json());
            return members;
        }

        @Override
        public void add(Stored later) {
            if (later.installation != null) installation = later.installation;
            if (later.current != null) current = later.current;
        }

        void prune(long now) {
            if (current != null && isOver(current, now)) current = null;
            if (installation != null && !installation.isOpened && isOver(installation, now)) end(installation);
        }

        /** A link with the same URL, such as one that was tapped twice, takes over what it would lose. */
        void place(KeptLink link) {
            if (link != current && link.hasUrlOf(current) && link.answer == null && current.answer != null) {
                link.answer = current.answer;
                link.follow(current);
            }
            current = link;
        }

        /** A time in the future counts as now. */
        private static boolean isOver(KeptLink link, long now) {
            return now - link.at > AGE || link.starts >= STARTS;
        }

        /** The installation's link stays, without what is private. */
        static void end(KeptLink link) {
            link.isOpened = true;
            link.removeMetadata();
        }
    }

    private final StoredState<Stored> state;
    private final Clock clock;
    /** The link that was opened last: an answer for an earlier one is not kept. */
    private volatile KeptLink last;

    public KeptLinks(ClientStorage storage, Clock clock) {
        state = new StoredState<>(storage, NAME, nothing -> new Stored());
        this.clock = clock;
    }

    private long now() {
        return clock.now() / 1_000;
    }

    private <R> R update(Transform<Stored, R> change) {
        long now = now();
        return state.update(stored -> {
            stored.prune(now);
            return change.apply(stored);
        });
    }

    /** A link that the app is opened with; {@link #begin} makes it the last one. */
    public KeptLink made(String url) {
        return new KeptLink(url, now());
    }

    /** From here on only this link's answer is kept. */
    public void begin(KeptLink link) {
        last = link;
    }

    /** The installation's link; null if there is none. It may be opened already. */
    public KeptLink installation() {
        return update(stored -> stored.installation);
    }

    /** The installation's link if the person has not seen it, else null. */
    public KeptLink unseenInstallation() {
        KeptLink link = installation();
        return link == null || link.isOpened ? null : link;
    }

    /** The last other link if the person has not seen it, else null. */
    public KeptLink current() {
        return update(stored -> stored.current);
    }

    /** The link with the same URL whose answer came with an earlier tap, and was not seen; null if there is none. */
    public KeptLink earlier(KeptLink link) {
        return update(stored -> {
            boolean isAnswered = link.hasUrlOf(stored.current) && stored.current.answer != null;
            return isAnswered && link != stored.current ? stored.current : null;
        });
    }

    /** Keeps the answer to a claim. */
    public void claimed(byte[] body, String match, String clickId) {
        KeptLink link = made(null);
        link.answer = new String(body, StandardCharsets.UTF_8);
        link.match = match;
        link.clickId = clickId;
        update(stored -> stored.installation = link);
    }

    /**
     * Keeps the answer of a link that no other was opened after.
     *
     * @return the answer; with the metadata that the link with this URL waits with, if the service gives them no more
     */
    public byte[] answered(KeptLink link, byte[] body) {
        return update(stored -> {
            boolean isLast = link == last && link != stored.installation;
            byte[] merged = isLast && link.hasUrlOf(stored.current) ? stored.current.withMetadata(body) : null;
            if (merged != null) link.follow(stored.current);
            byte[] answer = merged == null ? body : merged;
            link.answer = new String(answer, StandardCharsets.UTF_8);
            link.error = null;
            if (isLast) stored.current = link;
            return answer;
        });
    }

    /** The link is the current one: an earlier one is kept no longer. */
    public void replace(KeptLink link) {
        last = link;
        update(stored -> {
            if (link == stored.installation || link == stored.current) return null;
            if (link.hasUrlOf(stored.current) && stored.current.answer != null) {
                stored.place(link);
            } else {
                stored.current = null;
            }
            return null;
        });
    }

    /** Keeps a link that could not be shown now; returns whether it is kept. */
    public boolean keep(KeptLink link) {
        return update(stored -> {
            if (link != stored.installation && link == last) stored.place(link);
            return link == stored.installation || link == stored.current;
        });
    }

    /** Like {@link #keep}, and returns whether it will be there after the end of the process. */
    public boolean store(KeptLink link) {
        return keep(link) && state.isWritten();
    }

    /** Whether it is known which links are kept. */
    public boolean isReadable() {
        return state.isReadable();
    }

    /** Notes why a link could not be resolved. */
    public void failed(KeptLink link, String code) {
        update(stored -> {
            if (link.answer == null) link.error = code;
            return null;
        });
    }

    /** Keeps a link no longer. */
    public void drop(KeptLink link) {
        update(stored -> {
            if (link == stored.current) stored.current = null;
            return null;
        });
    }

    /** The service has refused a link for good; an answer that came before is still to be shown. */
    public void refused(KeptLink link) {
        update(stored -> {
            boolean isSame = link == stored.current || link.hasUrlOf(stored.current);
            if (isSame && stored.current.answer == null) stored.current = null;
            return null;
        });
    }

    /** The target is about to run. */
    public void starting(KeptLink link) {
        update(stored -> ++link.starts);
    }

    /**
     * The target has run.
     *
     * @param hasAnswer whether it was given the answer: one that came meanwhile was not seen and stays
     */
    public void opened(KeptLink link, boolean hasAnswer) {
        update(stored -> {
            link.starts = 0;
            if (link == stored.current && (hasAnswer || link.answer == null)) stored.current = null;
            if (link == stored.installation) Stored.end(link);
            return null;
        });
    }

    /** Whether the opening is recorded, also before the app was started. */
    public boolean isRecorded(KeptLink link) {
        return link.isRecorded;
    }

    public void recorded(KeptLink link) {
        update(stored -> link.isRecorded = true);
    }
}
