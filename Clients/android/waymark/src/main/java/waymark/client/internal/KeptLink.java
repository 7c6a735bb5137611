package waymark.client.internal;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import waymark.client.ResolvedLink;
import waymark.client.json.Json;
import waymark.client.json.RawJson;

/**
 * A link that the app was opened with, or that a claim brought, until the person has seen it. {@link KeptLinks} changes
 * it; its answer may have metadata, so it has no description.
 */
public final class KeptLink {
    /** What the app was opened with; null for a deferred link. */
    public final String url;
    /** Unix time in seconds at which it was received. */
    long at;
    /** What the service answered, as it was received; null before. */
    volatile String answer;
    /** How a claim matched; null for any other link. */
    String match;
    String clickId;
    /** A code of the specification; null unless the link could not be resolved. */
    String error;
    /** How often its target was started and has not ended. */
    int starts;
    volatile boolean isRecorded;
    volatile boolean isOpened;

    public KeptLink(String url, long at) {
        this.url = url;
        this.at = at;
    }

    /** The body of the service's answer; null before. */
    public byte[] answer() {
        String text = answer;
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    public String match() {
        return match;
    }

    public String clickId() {
        return clickId;
    }

    /** Whether it could not be resolved. */
    public boolean isFailed() {
        return error != null;
    }

    boolean hasUrlOf(KeptLink other) {
        return other != null && url != null && url.equals(other.url);
    }

    /** Continues one with the same URL, which the person has not seen: it is no second opening. */
    void follow(KeptLink earlier) {
        at = earlier.at;
        isRecorded |= earlier.isRecorded;
    }

    /** The answer with this link's metadata, if it has none because the redeem limit is reached; else null. */
    byte[] withMetadata(byte[] body) {
        ResolvedLink link = ResolvedLink.read(body);
        boolean isExhausted = link != null && "exhausted".equals(link.getRedeem().getStatus());
        if (!isExhausted || link.getMetadata() != null) return null;
        ResolvedLink own = answer == null ? null : ResolvedLink.read(answer());
        if (own == null || own.getMetadata() == null) return null;
        Map<String, Object> members = new LinkedHashMap<>(Json.readObject(body).getMembers());
        members.put("metadata", new RawJson(own.getMetadata().getJson()));
        return Json.bytes(members);
    }

    void removeMetadata() {
        Json json = answer == null ? null : Json.readObject(answer());
        if (json == null || !json.getMembers().containsKey("metadata")) return;
        Map<String, Object> members = new LinkedHashMap<>(json.getMembers());
        members.remove("metadata");
        answer = Json.write(members);
    }

    static KeptLink read(String text) {
        Json json = text == null ? null : Json.readObject(text.getBytes(StandardCharsets.UTF_8));
        Map<String, Object> members = json == null ? null : json.getMembers();
        if (members == null || !(members.get("at") instanceof Long)) return null;
        KeptLink link = new KeptLink(Json.asString(members.get("url")), (Long) members.get("at"));
        link.answer = Json.asString(members.get("answer"));
        link.match = Json.asString(members.get("match"));
        link.clickId = Json.asString(members.get("clickID"));
        link.error = Json.asString(members.get("error"));
        link.starts = members.get("starts") instanceof Long ? (int) Math.min((Long) members.get("starts"), 100) : 0;
        link.isRecorded = Boolean.TRUE.equals(members.get("recorded"));
        link.isOpened = Boolean.TRUE.equals(members.get("opened"));
        return link.url == null && link.answer == null ? null : link;
    }

    Map<String, Object> json() {
        Map<String, Object> members = new LinkedHashMap<>();
        if (url != null) members.put("url", url);
        // As text: as JSON in JSON it might be nested deeper than JSON is read.
        if (answer != null) members.put("answer", answer);
        if (match != null) members.put("match", match);
        if (clickId != null) members.put("clickID", clickId);
        if (error != null) members.put("error", error);
        members.put("at", at);
        members.put("starts", starts);
        members.put("recorded", isRecorded);
        members.put("opened", isOpened);
        return members;
    }
}
