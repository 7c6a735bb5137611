package waymark.client;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import waymark.client.url.PortableText;

/**
 * Why a call of the service failed. The message is one English sentence for developers, with what the service said; it
 * never contains the key.
 */
public final class WaymarkException extends Exception {
    /** The kinds of errors. */
    public enum Kind {
        /** The service refused the request; see {@link #getProblem()}. */
        REFUSED,
        /** The response is not this service's: a redirect, a proxy's page, or a body that can't be read. */
        UNEXPECTED_ANSWER,
        /** The device has no network. Nothing was sent. */
        OFFLINE,
        /** There was no complete response in time. The service may have processed the request; repeating it is safe. */
        TIMED_OUT,
        /** There was no connection, or it broke. */
        UNREACHABLE,
        /** The server's certificate was not trusted. */
        NOT_TRUSTED,
        /** The response exceeds the client's limit. */
        ANSWER_TOO_LARGE,
        /** The call was cancelled, or its thread interrupted. */
        CANCELLED,
        /** The service's URL is invalid, or not one that the key may be sent to. */
        INVALID_ADDRESS,
        /** The key is empty or has characters that no key has. */
        INVALID_KEY;

        /** The name in the specification of all clients, such as {@code timedOut}. */
        @NonNull
        public String getCode() {
            StringBuilder code = new StringBuilder();
            for (String word : PortableText.split(name(), '_')) {
                String lower = PortableText.lowercase(word);
                code.append(code.length() == 0 ? lower : word.charAt(0) + lower.substring(1));
            }
            return code.toString();
        }
    }

    private static final List<Integer> TRANSIENT_STATUSES = Arrays.asList(408, 429, 500, 502, 503, 504);

    private final Kind kind;
    private final int status;
    private final long retryAfter;
    private final transient Problem problem;

    private WaymarkException(Kind kind, String message, int status, long retryAfter, Problem problem) {
        super(message);
        this.kind = kind;
        this.status = status;
        this.retryAfter = retryAfter;
        this.problem = problem;
    }

    @NonNull
    public static WaymarkException of(@NonNull Kind kind, @NonNull String message) {
        return new WaymarkException(kind, message, 0, -1, null);
    }

    /** @param cause what the transport threw */
    @NonNull
    public static WaymarkException of(@NonNull Kind kind, @NonNull String message, @NonNull Throwable cause) {
        WaymarkException error = of(kind, message);
        error.initCause(cause);
        return error;
    }

    @NonNull
    public static WaymarkException refused(@NonNull Problem problem, long retryAfter) {
        List<String> words = new ArrayList<>();
        if (!problem.getDetail().isEmpty() && !problem.getDetail().equals(problem.getTitle())) {
            words.add(problem.getDetail());
        }
        for (Problem.Field error : problem.getErrors()) {
            if (words.size() == 4) break;
            words.add(error.getField().isEmpty() ? error.getProblem() : error.getField() + " " + error.getProblem());
        }
        String message = "the service refused: " + problem.getTitle() + (words.isEmpty() ? "" : ": ")
                + PortableText.join("; ", words) + " (" + problem.getStatus() + ", " + problem.getType() + ")";
        return new WaymarkException(Kind.REFUSED, message, problem.getStatus(), retryAfter, problem);
    }

    @NonNull
    public static WaymarkException unexpected(int status, long retryAfter) {
        return unexpected(status, retryAfter, "an answer with status " + status + " that is not the service's");
    }

    @NonNull
    public static WaymarkException unexpected(int status, long retryAfter, @NonNull String message) {
        return new WaymarkException(Kind.UNEXPECTED_ANSWER, message, status, retryAfter, null);
    }

    @NonNull
    public Kind getKind() {
        return kind;
    }

    /** The HTTP status; 0 if there was no response. */
    public int getStatus() {
        return status;
    }

    /** The service's {@code Retry-After} in milliseconds; -1 if there was none. */
    public long getRetryAfterMillis() {
        return retryAfter;
    }

    /** What the service said; null unless the kind is {@link Kind#REFUSED}. */
    @Nullable
    public Problem getProblem() {
        return problem;
    }

    /** Whether the same request may succeed later. */
    public boolean isTransient() {
        if (kind == Kind.REFUSED || kind == Kind.UNEXPECTED_ANSWER) return TRANSIENT_STATUSES.contains(status);
        return kind == Kind.OFFLINE || kind == Kind.TIMED_OUT || kind == Kind.UNREACHABLE || kind == Kind.CANCELLED;
    }

    /** Whether the service gave a final response, so that the request is not repeated with the same key. */
    public boolean isFinal() {
        // With another key, or from another caller, the same request may succeed.
        return kind == Kind.REFUSED && !isTransient() && status != 401 && status != 403;
    }
}
