package waymark.client.internal;

import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import waymark.client.json.Json;

/** An event in the app. The service counts it once, by its ID. */
public final class LinkEvent {
    public static final String OPEN = "open";
    public static final String INSTALL = "install";

    /** Every attempt to send the event has the same ID. */
    public final String id;
    public final String type;
    public final String clickId;
    public final String smartlink;
    public final String platform;
    /** Unix time in seconds. */
    public final long at;

    public LinkEvent(String id, String type, String clickId, String smartlink, String platform, long at) {
        this.id = id;
        this.type = type;
        this.clickId = clickId;
        this.smartlink = smartlink;
        this.platform = platform;
        this.at = at;
    }

    /** Null if the stored form is not valid. */
    static LinkEvent read(Object json) {
        Map<String, Object> members = Json.asObject(json);
        if (members == null) return null;
        String id = Json.asString(members.get("id"));
        String type = Json.asString(members.get("type"));
        String platform = Json.asString(members.get("platform"));
        Object at = members.get("at");
        if (id == null || platform == null || !(at instanceof Long)) return null;
        if (!OPEN.equals(type) && !INSTALL.equals(type)) return null;
        return new LinkEvent(id, type, Json.asString(members.get("clickID")),
                Json.asString(members.get("smartlink")), platform, (Long) at);
    }

    /** An upper bound of the stored form's bytes. */
    int size() {
        return 200 + size(clickId) + size(smartlink) + size(platform);
    }

    private static int size(String text) {
        return text == null ? 0 : Json.bytes(text).length;
    }

    Object stored() {
        return members(at);
    }

    /** The form that is sent, with the time as in RFC 3339. */
    Object body() {
        return members(time(at));
    }

    private Object members(Object time) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("id", id);
        members.put("type", type);
        if (clickId != null) members.put("clickID", clickId);
        if (smartlink != null) members.put("smartlink", smartlink);
        members.put("platform", platform);
        members.put("at", time);
        return members;
    }

    /** @param seconds Unix time */
    public static String time(long seconds) {
        SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss'Z'", Locale.US);
        format.setTimeZone(TimeZone.getTimeZone("UTC"));
        return format.format(new Date(seconds * 1_000));
    }
}
