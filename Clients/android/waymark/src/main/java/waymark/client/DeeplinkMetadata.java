package waymark.client;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import waymark.client.json.Json;

/**
 * Private data that a smart link carries to the app: a JSON object. It is never part of a URL; only a resolve returns
 * it, as often as the link's redeem limit allows. The service accepts at most 16 KiB.
 *
 * <p>The getters return null for a member that is missing or of another type. {@link #getJson()} has the service's text
 * unchanged, for {@code new JSONObject(metadata.getJson())} or any other JSON library.
 */
public final class DeeplinkMetadata {
    private final String json;
    private final Map<String, Object> members;

    DeeplinkMetadata(String json, Map<String, Object> members) {
        this.json = json;
        this.members = Collections.unmodifiableMap(members);
    }

    /**
     * Creates metadata for a new link.
     *
     * @param members strings, booleans, finite numbers, null, lists, and maps with string keys, at most 32 deep
     * @throws IllegalArgumentException if there is anything else
     */
    @NonNull
    public static DeeplinkMetadata of(@NonNull Map<String, ?> members) {
        // Sorted, so that equal metadata has equal text.
        String json = Json.write(new TreeMap<>(members));
        Json read = Json.readObject(json.getBytes(StandardCharsets.UTF_8));
        if (read == null) throw new IllegalArgumentException("the metadata is not a JSON object");
        return new DeeplinkMetadata(json, read.getMembers());
    }

    /** The object as JSON text, with all digits of its numbers. */
    @NonNull
    public String getJson() {
        return json;
    }

    /**
     * The members: {@code String}, {@code Boolean}, {@code Long} (integers of 64 bits), {@code Double}, {@code List},
     * {@code Map} or null.
     */
    @NonNull
    public Map<String, Object> getMembers() {
        return members;
    }

    @Nullable
    public Object get(@NonNull String name) {
        return members.get(name);
    }

    @Nullable
    public String getString(@NonNull String name) {
        return Json.asString(members.get(name));
    }

    /** An integral number of 64 bits. */
    @Nullable
    public Long getLong(@NonNull String name) {
        Object value = members.get(name);
        return value instanceof Long ? (Long) value : null;
    }

    /** Any number. */
    @Nullable
    public Double getDouble(@NonNull String name) {
        Object value = members.get(name);
        return value instanceof Number ? ((Number) value).doubleValue() : null;
    }

    @Nullable
    public Boolean getBoolean(@NonNull String name) {
        Object value = members.get(name);
        return value instanceof Boolean ? (Boolean) value : null;
    }

    @Nullable
    public List<Object> getList(@NonNull String name) {
        return Json.asArray(members.get(name));
    }

    @Nullable
    public Map<String, Object> getMap(@NonNull String name) {
        return Json.asObject(members.get(name));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DeeplinkMetadata && ((DeeplinkMetadata) other).members.equals(members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }

    /** The names only: values are private. */
    @Override
    @NonNull
    public String toString() {
        return "DeeplinkMetadata(" + members.keySet() + ")";
    }
}
