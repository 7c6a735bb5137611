package com.google.firebase.dynamiclinks;

import androidx.annotation.Nullable;
import java.util.LinkedHashMap;
import java.util.Map;

/** A group of a long link's parameters, by the names that they have in its query. */
abstract class LinkParameters {
    final Map<String, String> parameters;

    LinkParameters(Map<String, String> parameters) {
        this.parameters = parameters;
    }

    /** Collects the parameters. */
    abstract static class Builder<B extends Builder<B>> {
        private final Map<String, String> parameters = new LinkedHashMap<>();

        Builder() {}

        @SuppressWarnings("unchecked")
        final B put(String name, String value) {
            parameters.put(name, value);
            return (B) this;
        }

        @Nullable
        final String get(String name) {
            return parameters.get(name);
        }

        /** A copy: the builder may go on. */
        final Map<String, String> parameters() {
            return new LinkedHashMap<>(parameters);
        }
    }
}
