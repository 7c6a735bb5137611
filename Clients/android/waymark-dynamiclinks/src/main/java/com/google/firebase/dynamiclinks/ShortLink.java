package com.google.firebase.dynamiclinks;

import android.net.Uri;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import waymark.client.json.Json;

/** The response of {@code POST /v1/shortLinks}. */
final class ShortLink implements ShortDynamicLink {
    private static final class Text implements Warning {
        private final String message;

        Text(String message) {
            this.message = message;
        }

        @Override
        @Nullable
        @Deprecated
        public String getCode() {
            return null;
        }

        @Override
        @Nullable
        public String getMessage() {
            return message;
        }
    }

    private final Uri shortLink;
    private final Uri previewLink;
    private final List<Warning> warnings = new ArrayList<>();

    ShortLink(Map<String, Object> answer) {
        shortLink = uri(answer.get("shortLink"));
        previewLink = uri(answer.get("previewLink"));
        List<Object> elements = Json.asArray(answer.get("warning"));
        for (Object element : elements == null ? Collections.emptyList() : elements) {
            Map<String, Object> warning = Json.asObject(element);
            if (warning != null) warnings.add(new Text(Json.asString(warning.get("warningMessage"))));
        }
    }

    private static Uri uri(Object value) {
        return value instanceof String ? Uri.parse((String) value) : null;
    }

    @Override
    @Nullable
    public Uri getShortLink() {
        return shortLink;
    }

    @Override
    @Nullable
    public Uri getPreviewLink() {
        return previewLink;
    }

    @Override
    @NonNull
    public List<? extends Warning> getWarnings() {
        return Collections.unmodifiableList(warnings);
    }

    @Override
    @NonNull
    public String toString() {
        return "ShortDynamicLink(" + shortLink + ", warnings: " + warnings.size() + ")";
    }
}
