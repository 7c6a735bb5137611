package android.net;

import android.os.Parcelable;
import java.io.UnsupportedEncodingException;
import java.net.URLEncoder;

public abstract class Uri implements Parcelable, Comparable<Uri> {
    public static final Uri EMPTY = new Text("");

    Uri() {}

    public static Uri parse(String text) {
        return new Text(text);
    }

    public abstract String getScheme();

    public abstract String getHost();

    public abstract String getAuthority();

    public abstract String getPath();

    public abstract String getQueryParameter(String name);

    public abstract String getEncodedPath();

    @Override
    public abstract String toString();

    public static String encode(String text) {
        try {
            return text == null ? null : URLEncoder.encode(text, "UTF-8").replace("+", "%20").replace("*", "%2A");
        } catch (UnsupportedEncodingException error) {
            throw new AssertionError(error);
        }
    }

    @Override
    public int compareTo(Uri other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Uri && other.toString().equals(toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    private static final class Text extends Uri {
        private final String text;

        Text(String text) {
            if (text == null) throw new NullPointerException("uriString");
            this.text = text;
        }

        private java.net.URI uri() {
            return java.net.URI.create(text.replace(" ", "%20"));
        }

        @Override
        public String getScheme() {
            return uri().getScheme();
        }

        @Override
        public String getHost() {
            return uri().getHost();
        }

        @Override
        public String getAuthority() {
            return uri().getAuthority();
        }

        @Override
        public String getPath() {
            return uri().getPath();
        }

        @Override
        public String getEncodedPath() {
            return uri().getRawPath();
        }

        @Override
        public String getQueryParameter(String name) {
            String query = uri().getRawQuery();
            if (query == null) return null;
            for (String item : query.split("&")) {
                if (!item.startsWith(name + "=")) continue;
                try {
                    return java.net.URLDecoder.decode(item.substring(name.length() + 1), "UTF-8");
                } catch (UnsupportedEncodingException error) {
                    throw new AssertionError(error);
                }
            }
            return null;
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
