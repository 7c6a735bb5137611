package waymark.client.url;

import androidx.annotation.NonNull;
import java.util.ArrayList;
import java.util.List;

/** Operations on text that API 21 lacks or that depend on the locale there. */
public final class PortableText {
    private PortableText() {}

    /** The parts between the separators, including empty ones; one part if there is no separator. */
    @NonNull
    public static List<String> split(@NonNull String text, char separator) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        for (int end = text.indexOf(separator); end >= 0; end = text.indexOf(separator, start)) {
            parts.add(text.substring(start, end));
            start = end + 1;
        }
        parts.add(text.substring(start));
        return parts;
    }

    @NonNull
    public static String join(@NonNull String separator, @NonNull Iterable<String> parts) {
        StringBuilder joined = new StringBuilder();
        boolean isFirst = true;
        for (String part : parts) {
            if (!isFirst) joined.append(separator);
            joined.append(part);
            isFirst = false;
        }
        return joined.toString();
    }

    /** Maps ASCII letters to lower case, and nothing else: hosts and header fields are ASCII. */
    @NonNull
    public static String lowercase(@NonNull String text) {
        StringBuilder lower = null;
        for (int index = 0; index < text.length(); index++) {
            char unit = text.charAt(index);
            if (unit < 'A' || unit > 'Z') continue;
            if (lower == null) lower = new StringBuilder(text);
            lower.setCharAt(index, (char) (unit + 32));
        }
        return lower == null ? text : lower.toString();
    }

    /** Whether the text has only ASCII characters that are visible: no space, no control character. */
    public static boolean isVisibleAscii(@NonNull String text) {
        for (int index = 0; index < text.length(); index++) {
            char unit = text.charAt(index);
            if (unit <= 0x20 || unit >= 0x7f) return false;
        }
        return true;
    }

    /** Compares by code points, which is the order of the bytes of UTF-8. */
    public static int compareBytes(@NonNull String left, @NonNull String right) {
        int length = Math.min(left.length(), right.length());
        for (int index = 0; index < length; index++) {
            char first = left.charAt(index);
            char second = right.charAt(index);
            if (first == second) continue;
            // A surrogate is above every other unit, because it is part of a code point above U+FFFF.
            boolean isFirstHigh = Character.isSurrogate(first);
            if (isFirstHigh != Character.isSurrogate(second)) return isFirstHigh ? 1 : -1;
            return first < second ? -1 : 1;
        }
        return left.length() - right.length();
    }
}
