package waymark.client.json;

import androidx.annotation.NonNull;

/** JSON text that is written as it is. */
public final class RawJson {
    private final String text;

    public RawJson(@NonNull String text) {
        this.text = text;
    }

    @Override
    @NonNull
    public String toString() {
        return text;
    }
}
