package waymark.client.internal;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import waymark.client.Clock;
import waymark.client.LinkDiagnostic;
import waymark.client.OnResult;
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
    private volatile long serviceTime = -1;
    private final String userAgent;
    private final OnResult<LinkDiagnostic> onDiagnostic;

    public RequestSender(ServiceAddress address, String key, String userAgent, OnResult<LinkDiagnostic> onDiagnostic,
            HttpTransport transport, Clock clock, Randomness random, RetryPolicy policy, long timeLimit,
            int answerLimit) {
        this.address = address;
        this.key = key;
        this.userAgent = userAgent;
        this.onDiagnostic = onDiagnostic;
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
        TransportRequest request = request("POST", path, body, idempotencyKey);
        for (int attempt = 1;; attempt++) {
            WaymarkException failure;
            try {
                return attempt(request);
            } catch (WaymarkException error) {
                failure = error;
            }
            boolean isWorthRetrying = failure.isTransient()
                    && failure.getKind() != WaymarkException.Kind.OFFLINE
                    && failure.getKind() != WaymarkException.Kind.CANCELLED;
            long wait = isWorthRetrying
                    ? policy.waitMillis(attempt, failure.getRetryAfterMillis(), random.fraction()) : -1;
            if (wait < 0) throw failure;
            report("retry", failure.getStatus(), failure.getKind());
            try {
                clock.sleep(wait);
            } catch (InterruptedException error) {
                Thread.currentThread().interrupt();
                throw WaymarkException.of(WaymarkException.Kind.CANCELLED, "the request was cancelled");
            }
        }
    }

    /** Makes one attempt, of any method. */
    public TransportResponse sendOnce(String method, String path, byte[] body) throws WaymarkException {
        return attempt(request(method, path, body, null));
    }

    private TransportRequest request(String method, String path, byte[] body, String idempotencyKey) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("Authorization", "Bearer " + key);
        if (body.length > 0) fields.put("Content-Type", "application/json");
        fields.put("Accept", "application/json, application/problem+json");
        fields.put("User-Agent", userAgent);
        if (idempotencyKey != null) fields.put("Idempotency-Key", idempotencyKey);
        return new TransportRequest(method, address.base + path, fields, body, timeLimit, answerLimit);
    }

    private TransportResponse attempt(TransportRequest request) throws WaymarkException {
        report("request", 0, null);
        TransportResponse answer;
        try {
            answer = transport.send(request);
        } catch (WaymarkException error) {
            report("response", 0, error.getKind());
            throw error;
        }
        serviceTime = RetryAfter.date(answer.getField("Date"));
        report("response", answer.getStatus(), null);
        if (answer.getStatus() < 200 || answer.getStatus() >= 300) throw read(answer);
        // Another transport may not have kept to the limit.
        if (answer.getBody().length <= answerLimit) return answer;
        throw WaymarkException.of(WaymarkException.Kind.ANSWER_TOO_LARGE, "the answer is too long");
    }

    /** The time in the last response, in milliseconds; -1 if it named none. */
    long serviceTime() {
        return serviceTime;
    }

    private void report(String step, int status, WaymarkException.Kind error) {
        onDiagnostic.onResult(new LinkDiagnostic(step, address.host, null, status, error));
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
