package waymark.client;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.Map;
import waymark.client.json.Json;

/** A deep link that was opened before the app was installed. */
public final class DeferredDeeplink {
    /** The response that there is none. */
    static final DeferredDeeplink NONE = new DeferredDeeplink(null, null, null);

    private final ResolvedLink link;
    private final String match;
    private final String clickId;

    DeferredDeeplink(ResolvedLink link, String match, String clickId) {
        this.link = link;
        this.match = match;
        this.clickId = clickId;
    }

    /** Null if the body is not the response of a claim; {@link #NONE} if there is no link. */
    @Nullable
    static DeferredDeeplink read(byte[] body, String clickId) {
        Json json = Json.readObject(body);
        if (json == null || !json.getMembers().containsKey("match")) return null;
        if (json.getMembers().get("match") == null) return NONE;
        Map<String, Object> match = Json.asObject(json.getMembers().get("match"));
        String method = match == null ? null : Json.asString(match.get("method"));
        ResolvedLink link = ResolvedLink.read(body);
        return method == null || link == null ? null : new DeferredDeeplink(link, method, clickId);
    }

    /** The link's destination, with its metadata. */
    @NonNull
    public ResolvedLink getLink() {
        return link;
    }

    /** How the service matched it: {@code referrer} or {@code clipboard}; a newer service may have others. */
    @NonNull
    public String getMatch() {
        return match;
    }

    /** The click that led to the installation; null if only the service could read the trace. */
    @Nullable
    public String getClickId() {
        return clickId;
    }

    @Override
    @NonNull
    public String toString() {
        return "DeferredDeeplink(match: " + match + ", hasClickId: " + (clickId != null) + ", link: " + link + ")";
    }
}
