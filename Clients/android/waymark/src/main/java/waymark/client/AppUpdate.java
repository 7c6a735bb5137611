package waymark.client;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.Map;
import waymark.client.json.Json;

/** A link requires a newer version of the app. */
public final class AppUpdate {
    private final String minimumVersion;
    private final String url;

    private AppUpdate(String minimumVersion, String url) {
        this.minimumVersion = minimumVersion;
        this.url = url;
    }

    @Nullable
    static AppUpdate read(@Nullable Object value) {
        Map<String, Object> members = Json.asObject(value);
        String version = members == null ? null : Json.asString(members.get("minimumVersion"));
        return version == null ? null : new AppUpdate(version, Json.asString(members.get("url")));
    }

    /** The oldest version that the link works in. */
    @NonNull
    public String getMinimumVersion() {
        return minimumVersion;
    }

    /** Where to get it; null if the service knows no store. */
    @Nullable
    public String getUrl() {
        return url;
    }

    @Override
    @NonNull
    public String toString() {
        return "AppUpdate(minimumVersion: " + minimumVersion + ", url: " + url + ")";
    }
}
