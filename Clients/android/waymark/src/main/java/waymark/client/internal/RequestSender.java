package waymark.client.internal;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import waymark.client.Clock;
import waymark.client.Problem;
import waymark.client.Randomness;
import waymark.client.RetryPolicy;
import waymark.client.WaymarkException;
import waymark.client.json.Json;
import waymark.client.transport.HttpTransport;
import waymark.client.transport.TransportRequest;
import waymark.client.transport.TransportResponse;
import waymark.client.url.PortableText;

/** Sends one request, with retries, and returns the response or throws the error. */
public final class RequestSender {
    public final Clock clock;
    public final Randomness random;
    private final ServiceAddress address;
    private final String key;
    private final HttpTransport transport;
    private final RetryPolicy policy;
    private final long timeLimit;
    private final int answerLimit;

    public RequestSender(ServiceAddress address, String key, HttpTransport transport, Clock clock, Randomness random,
            RetryPolicy policy, long timeLimit, int answerLimit) {
        this.address = address;
        this.key = key;
        this.transport = transport;
        this.clock = clock;
        this.random = random;
        this.policy = policy;
        this.timeLimit = timeLimit;
        this.answerLimit = answerLimit;
    }

    /** Unix time in seconds. */
    public long now() {
        long milliseconds = clock.now();
        return milliseconds >= 0 ? milliseconds / 1_000 : (milliseconds - 999) / 1_000;
    }

    /**
     * Returns the response if its status is 2xx. Every attempt has the same body and idempotency key.
     *
     * @param idempotencyKey null for none
     */
    public TransportResponse post(String path, byte[] body, String idempotencyKey) throws WaymarkException {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("Authorization", "Bearer " + key);
        fields.put("Content-Type", "application/json");
        fields.put("Accept", "application/json, application/problem+json");
        if (idempotencyKey != null) fields.put("Idempotency-Key", idempotencyKey);
        TransportRequest request = new TransportRequest(address.base + path, fields, body, timeLimit, answerLimit);
        for (int attempt = 1;; attempt++) {
            WaymarkException failure;
            try {
                TransportResponse answer = transport.send(request);
                if (answer.getStatus() >= 200 && answer.getStatus() < 300) {
                    // Another transport may not have kept to the limit.
                    if (answer.getBody().length <= answerLimit) return answer;
                    failure = WaymarkException.of(WaymarkException.Kind.ANSWER_TOO_LARGE, "the answer is too long");
                } else {
                    failure = read(answer);
                }
            } catch (WaymarkException error) {
                failure = error;
            }
            boolean isWorthRetrying = failure.isTransient()
                    && failure.getKind() != WaymarkException.Kind.OFFLINE
                    && failure.getKind() != WaymarkException.Kind.CANCELLED;
            long wait = isWorthRetrying
                    ? policy.waitMillis(attempt, failure.getRetryAfterMillis(), random.fraction()) : -1;
            if (wait < 0) throw failure;
            try {
                clock.sleep(wait);
            } catch (InterruptedException error) {
                Thread.currentThread().interrupt();
                throw WaymarkException.of(WaymarkException.Kind.CANCELLED, "the request was cancelled");
            }
        }
    }

    private WaymarkException read(TransportResponse answer) {
        long retryAfter = RetryAfter.read(answer.getField("Retry-After"), clock.now());
        String type = answer.getField("Content-Type");
        byte[] body = answer.getBody();
        // A proxy that repeats the request would put the key into the error's message.
        boolean isReadable = answer.getStatus() >= 400 && body.length <= answerLimit
                && !new String(body, StandardCharsets.ISO_8859_1).contains(key);
        boolean isProblem = type != null && PortableText.lowercase(type.trim()).startsWith(Problem.MEDIA_TYPE);
        Problem problem = isReadable && isProblem ? Problem.read(body, answer.getStatus()) : null;
        // The key may also be written with escapes.
        if (problem != null && !problem.contains(key)) return WaymarkException.refused(problem, retryAfter);
        String message = isReadable ? envelope(body) : null;
        if (message != null && message.contains(key)) message = null;
        return message == null
                ? WaymarkException.unexpected(answer.getStatus(), retryAfter)
                : WaymarkException.unexpected(
                        answer.getStatus(), retryAfter, message + " (" + answer.getStatus() + ")");
    }

    /** The message in the envelope that the calls under {@code /v1} answer errors in; null if there is none. */
    private static String envelope(byte[] body) {
        Json json = Json.readObject(body);
        Map<String, Object> error = json == null ? null : Json.asObject(json.getMembers().get("error"));
        String message = error == null ? null : Json.asString(error.get("message"));
        return message == null || message.length() > 1_000 ? null : message;
    }
}
