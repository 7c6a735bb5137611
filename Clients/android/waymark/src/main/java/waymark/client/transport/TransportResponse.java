package waymark.client.transport;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.HashMap;
import java.util.Map;
import waymark.client.url.PortableText;

/** A response from any transport. */
public final class TransportResponse {
    private final int status;
    private final Map<String, String> fields = new HashMap<>();
    private final byte[] body;

    /** @param fields the header fields by name, ignoring case */
    public TransportResponse(int status, @NonNull Map<String, String> fields, @NonNull byte[] body) {
        this.status = status;
        this.body = body;
        for (Map.Entry<String, String> field : fields.entrySet()) {
            this.fields.put(PortableText.lowercase(field.getKey()), field.getValue());
        }
    }

    /** The HTTP status. */
    public int getStatus() {
        return status;
    }

    /** The complete body. */
    @NonNull
    public byte[] getBody() {
        return body;
    }

    /** The value of a header field, ignoring the name's case; null if absent. */
    @Nullable
    public String getField(@NonNull String name) {
        return fields.get(PortableText.lowercase(name));
    }

    /** Without fields and body, which may be private. */
    @Override
    @NonNull
    public String toString() {
        return "TransportResponse(status: " + status + ", bytes: " + body.length + ")";
    }
}
