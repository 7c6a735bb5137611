package waymark.client.template;

/** The type that a part of a URL is converted to. */
public enum ValueType {
    /** Any text, as a {@code String}. */
    STRING,
    /** {@code [+-]?[0-9]+} within 64 bits, as a {@code Long}. */
    INT,
    /** A decimal number with an optional exponent, as a {@code Double}. */
    DOUBLE,
    /** {@code true} or {@code false}, as a {@code Boolean}. */
    BOOL;

    /** Null if the text is not of the type. */
    Object read(String text) {
        if (this == INT) return integer(text);
        if (this == DOUBLE) return decimal(text);
        if (this == STRING) return text;
        return text.equals("true") ? Boolean.TRUE : text.equals("false") ? Boolean.FALSE : null;
    }

    /** {@code Long.valueOf} accepts digits of all scripts. */
    private static Long integer(String text) {
        int start = hasSign(text) ? 1 : 0;
        if (start == text.length() || digits(text, start) != text.length()) return null;
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException error) {
            return null;
        }
    }

    /** {@code Double.valueOf} accepts white space, suffixes, hexadecimal numbers and words. */
    private static Double decimal(String text) {
        int start = hasSign(text) ? 1 : 0;
        int position = digits(text, start);
        int count = position - start;
        if (position < text.length() && text.charAt(position) == '.') {
            int end = digits(text, position + 1);
            count += end - position - 1;
            position = end;
        }
        if (count == 0) return null;
        if (position < text.length() && (text.charAt(position) == 'e' || text.charAt(position) == 'E')) {
            position++;
            if (position < text.length() && hasSign(text.substring(position))) position++;
            int end = digits(text, position);
            if (end == position) return null;
            position = end;
        }
        return position == text.length() ? Double.valueOf(text) : null;
    }

    private static boolean hasSign(String text) {
        return text.startsWith("+") || text.startsWith("-");
    }

    private static int digits(String text, int start) {
        int position = start;
        while (position < text.length() && text.charAt(position) >= '0' && text.charAt(position) <= '9') position++;
        return position;
    }
}
