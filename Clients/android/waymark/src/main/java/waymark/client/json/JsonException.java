package waymark.client.json;

import androidx.annotation.NonNull;

/** A text is not JSON. The message says where, and shows nothing of the text. */
public final class JsonException extends Exception {
    public JsonException(@NonNull String message) {
        super(message);
    }
}
