package waymark.client.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import waymark.client.json.Json;

/** The stored state of this installation of the app. */
public final class Installation implements StoredState.Value<Installation> {
    public static final String NAME = "installation";

    /** Null until first needed. */
    public String id;
    /** Whether the service has responded to the claim for a deferred deep link. */
    public boolean isClaimed;
    /** Whether the installation was recorded as an event. */
    public boolean isRecorded;
    /** Whether that event has a click. */
    public boolean isAttributed;
    /** Whether the store has answered that no click led to the installation. */
    public boolean isOrganic;

    @Override
    public boolean read(Json json) {
        Map<String, Object> members = json.getMembers();
        id = Json.asString(members.get("id"));
        isClaimed = Boolean.TRUE.equals(members.get("claimed"));
        isRecorded = Boolean.TRUE.equals(members.get("recorded"));
        Object attributed = members.get("attributed");
        isAttributed = attributed instanceof Boolean ? (Boolean) attributed : isRecorded;
        isOrganic = Boolean.TRUE.equals(members.get("organic"));
        return id != null && !id.isEmpty();
    }

    @Override
    public Object json() {
        Map<String, Object> members = new LinkedHashMap<>();
        if (id != null) members.put("id", id);
        members.put("claimed", isClaimed);
        members.put("recorded", isRecorded);
        members.put("attributed", isAttributed);
        if (isOrganic) members.put("organic", true);
        return members;
    }

    @Override
    public void add(Installation later) {
        if (id == null) id = later.id;
        isClaimed |= later.isClaimed;
        isRecorded |= later.isRecorded;
        isAttributed |= later.isAttributed;
        isOrganic |= later.isOrganic;
    }
}
