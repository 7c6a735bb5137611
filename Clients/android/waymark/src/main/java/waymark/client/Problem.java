package waymark.client;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import waymark.client.json.Json;

/** Why the service refused a request (RFC 9457). */
public final class Problem {
    public static final String MEDIA_TYPE = "application/problem+json";
    /** What the types of the service begin with. */
    private static final String PREFIX = "urn:waymark:problem:";

    private final String type;
    private final String title;
    private final int status;
    private final String detail;
    private final List<Field> errors;

    private Problem(String type, String title, int status, String detail, List<Field> errors) {
        this.type = type;
        this.title = title;
        this.status = status;
        this.detail = detail;
        this.errors = errors;
    }

    /** Null if the body is no problem. The response's status takes precedence over the body's. */
    @Nullable
    public static Problem read(@NonNull byte[] body, int status) {
        Json json = Json.readObject(body);
        if (json == null) return null;
        Map<String, Object> members = json.getMembers();
        String type = Json.asString(members.get("type"));
        if (type == null || !(members.get("status") instanceof Long)) return null;
        List<Field> errors = new ArrayList<>();
        List<Object> elements = Json.asArray(members.get("errors"));
        for (Object element : elements == null ? Collections.emptyList() : elements) {
            Map<String, Object> error = Json.asObject(element);
            String field = error == null ? null : Json.asString(error.get("field"));
            String problem = error == null ? null : Json.asString(error.get("problem"));
            if (field != null && problem != null) errors.add(new Field(field, problem));
        }
        return new Problem(type, text(members.get("title")), status, text(members.get("detail")),
                Collections.unmodifiableList(errors));
    }

    /** Whether one of its texts contains the text. */
    public boolean contains(@NonNull String text) {
        StringBuilder all = new StringBuilder(type).append('\n').append(title).append('\n').append(detail);
        for (Field error : errors) all.append('\n').append(error.field).append('\n').append(error.problem);
        return all.indexOf(text) >= 0;
    }

    private static String text(Object value) {
        String text = Json.asString(value);
        return text == null ? "" : text;
    }

    /** The type's URI, such as {@code urn:waymark:problem:link-expired}. */
    @NonNull
    public String getType() {
        return type;
    }

    /** The type without its prefix, such as {@code link-expired}; the whole type if it is not the service's. */
    @NonNull
    public String getName() {
        return type.startsWith(PREFIX) ? type.substring(PREFIX.length()) : type;
    }

    @NonNull
    public String getTitle() {
        return title;
    }

    /** The HTTP status. */
    public int getStatus() {
        return status;
    }

    /** What is wrong with this request; may be empty. */
    @NonNull
    public String getDetail() {
        return detail;
    }

    /** The fields that are not valid, for status 422. */
    @NonNull
    public List<Field> getErrors() {
        return errors;
    }

    /** The detail is left out: it may repeat what was sent. */
    @Override
    @NonNull
    public String toString() {
        return "Problem(" + getName() + ", status: " + status + ", title: " + title + ", errors: " + errors + ")";
    }

    /** A field that is not valid. */
    public static final class Field {
        private final String field;
        private final String problem;

        Field(String field, String problem) {
            this.field = field;
            this.problem = problem;
        }

        /** The field's path, such as {@code urls.web}; empty for the whole body. */
        @NonNull
        public String getField() {
            return field;
        }

        @NonNull
        public String getProblem() {
            return problem;
        }

        /** The field's name: the problem may repeat its value. */
        @Override
        @NonNull
        public String toString() {
            return field;
        }
    }
}
