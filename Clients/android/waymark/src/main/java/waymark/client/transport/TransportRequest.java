package waymark.client.transport;

import androidx.annotation.NonNull;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One request to the service. Its description omits header values and the body: they hold the key and private
 * data.
 */
public final class TransportRequest {
    private final String method;
    private final String url;
    private final Map<String, String> fields;
    private final byte[] body;
    private final long timeLimit;
    private final int answerLimit;

    public TransportRequest(@NonNull String method, @NonNull String url, @NonNull Map<String, String> fields, @NonNull byte[] body,
            long timeLimit, int answerLimit) {
        this.method = method;
        this.url = url;
        this.fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        this.body = body;
        this.timeLimit = timeLimit;
        this.answerLimit = answerLimit;
    }

    /** {@code POST}, or {@code GET} with an empty body. */
    @NonNull
    public String getMethod() {
        return method;
    }

    /** The absolute URL. */
    @NonNull
    public String getUrl() {
        return url;
    }

    /** The header fields by name. */
    @NonNull
    public Map<String, String> getFields() {
        return fields;
    }

    /** The body; it must not be changed. */
    @NonNull
    public byte[] getBody() {
        return body;
    }

    /** The time limit of the exchange in milliseconds, from the first connection attempt to the last byte. */
    public long getTimeLimitMillis() {
        return timeLimit;
    }

    /** The maximum size of the response's body in bytes. */
    public int getAnswerLimit() {
        return answerLimit;
    }

    @Override
    @NonNull
    public String toString() {
        return method + " " + url;
    }
}
