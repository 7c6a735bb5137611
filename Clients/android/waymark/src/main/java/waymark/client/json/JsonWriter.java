package waymark.client.json;

import java.util.Collection;
import java.util.Map;

/** Writes JSON. Its output is valid UTF-8 for any input: half a surrogate pair becomes U+FFFD. */
final class JsonWriter {
    private static final char[] DIGITS = "0123456789abcdef".toCharArray();

    private final StringBuilder output = new StringBuilder();

    JsonWriter value(Object value, int depth) {
        if (depth > JsonReader.DEPTH_LIMIT) {
            throw new IllegalArgumentException("nested more than " + JsonReader.DEPTH_LIMIT + " deep");
        }
        if (value == null || value instanceof Boolean || value instanceof RawJson) {
            output.append(value);
        } else if (value instanceof String) {
            string((String) value);
        } else if (value instanceof Number) {
            number((Number) value);
        } else if (value instanceof Map) {
            object((Map<?, ?>) value, depth + 1);
        } else if (value instanceof Collection) {
            char separator = '[';
            for (Object element : (Collection<?>) value) {
                output.append(separator);
                value(element, depth + 1);
                separator = ',';
            }
            output.append(separator == '[' ? "[]" : "]");
        } else {
            throw new IllegalArgumentException(value.getClass().getName() + " is not JSON");
        }
        return this;
    }

    private void object(Map<?, ?> members, int depth) {
        char separator = '{';
        for (Map.Entry<?, ?> member : members.entrySet()) {
            if (!(member.getKey() instanceof String)) throw new IllegalArgumentException("a name is not a string");
            output.append(separator);
            string((String) member.getKey());
            output.append(':');
            value(member.getValue(), depth);
            separator = ',';
        }
        output.append(separator == '{' ? "{}" : "}");
    }

    private void number(Number number) {
        if (number instanceof Double || number instanceof Float) {
            double value = number.doubleValue();
            if (Double.isNaN(value) || Double.isInfinite(value)) {
                throw new IllegalArgumentException("a number is not finite");
            }
        }
        output.append(number);
    }

    private void string(String text) {
        output.append('"');
        for (int index = 0; index < text.length(); index++) {
            char unit = text.charAt(index);
            if (unit == '"' || unit == '\\') {
                output.append('\\').append(unit);
            } else if (unit < 0x20) {
                escape(unit);
            } else if (Character.isHighSurrogate(unit) && index + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(index + 1))) {
                output.append(unit).append(text.charAt(++index));
            } else if (Character.isSurrogate(unit)) {
                // Half a character is no Unicode text; the service would refuse the whole body.
                output.append('\uFFFD');
            } else {
                output.append(unit);
            }
        }
        output.append('"');
    }

    private void escape(char unit) {
        output.append("\\u00").append(DIGITS[unit >> 4]).append(DIGITS[unit & 15]);
    }

    @Override
    public String toString() {
        return output.toString();
    }
}
