package waymark.client.json;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** A JSON text that was read, with the exact texts of its members; and the writing of JSON. */
public final class Json {
    private final Object value;
    private final Map<String, String> memberTexts;

    private Json(Object value, Map<String, String> memberTexts) {
        this.value = value;
        this.memberTexts = memberTexts;
    }

    /** @throws JsonException if the bytes are not one JSON text (RFC 8259), or are nested more than 32 deep */
    @NonNull
    public static Json read(@NonNull byte[] bytes) throws JsonException {
        JsonReader reader = new JsonReader(bytes);
        return new Json(reader.document(), reader.memberTexts);
    }

    /** Reads an object; null if the bytes are not JSON or not an object. */
    @Nullable
    public static Json readObject(@NonNull byte[] bytes) {
        try {
            Json json = read(bytes);
            return json.value instanceof Map ? json : null;
        } catch (JsonException error) {
            return null;
        }
    }

    /** See {@link JsonReader} for the classes of values. */
    @Nullable
    public Object getValue() {
        return value;
    }

    /** The members; empty if the value is not an object. */
    @NonNull
    public Map<String, Object> getMembers() {
        return asObject(value) == null ? Collections.<String, Object>emptyMap() : asObject(value);
    }

    /** The text of a member of the outermost object, as received; null if there is none. */
    @Nullable
    public String memberText(@NonNull String name) {
        return memberTexts.get(name);
    }

    @Nullable
    @SuppressWarnings("unchecked")
    public static Map<String, Object> asObject(@Nullable Object value) {
        return value instanceof Map ? (Map<String, Object>) value : null;
    }

    @Nullable
    @SuppressWarnings("unchecked")
    public static List<Object> asArray(@Nullable Object value) {
        return value instanceof List ? (List<Object>) value : null;
    }

    @Nullable
    public static String asString(@Nullable Object value) {
        return value instanceof String ? (String) value : null;
    }

    /**
     * The value as compact JSON text.
     *
     * @throws IllegalArgumentException if it contains anything but maps with string keys, collections, strings,
     *     booleans, finite numbers, {@link RawJson} and null, or is nested more than 32 deep
     */
    @NonNull
    public static String write(@Nullable Object value) {
        return new JsonWriter().value(value, 0).toString();
    }

    @NonNull
    public static byte[] bytes(@Nullable Object value) {
        return write(value).getBytes(StandardCharsets.UTF_8);
    }
}
