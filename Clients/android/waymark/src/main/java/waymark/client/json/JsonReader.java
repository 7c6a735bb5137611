package waymark.client.json;

import androidx.annotation.NonNull;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one JSON text (RFC 8259), strictly: what is nested more than 32 deep, has a member twice, is not UTF-8 or has
 * anything after the value is refused. Every character is looked at once.
 *
 * <p>A reader of the client's own, because Android's {@code org.json} accepts what is not JSON, has no limit of depth
 * (a hostile response overflows the stack) and drops the digits of numbers.
 *
 * <p>Values are {@code Map<String, Object>}, {@code List<Object>}, {@code String}, {@code Boolean}, {@code Long} (an
 * integral number of 64 bits, in any notation), {@code Double} (any other number, infinite if out of range), or null.
 */
final class JsonReader {
    static final int DEPTH_LIMIT = 32;

    private final String text;
    private int position;
    /** The texts of the members of the outermost object. */
    final Map<String, String> memberTexts = new LinkedHashMap<>();

    JsonReader(@NonNull byte[] bytes) throws JsonException {
        try {
            text = StandardCharsets.UTF_8.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException error) {
            throw new JsonException("the text is not UTF-8");
        }
    }

    Object document() throws JsonException {
        Object value = value(0);
        skipSpace();
        if (position < text.length()) throw unexpected("nothing may follow the value");
        return value;
    }

    private Object value(int depth) throws JsonException {
        skipSpace();
        if (position == text.length()) throw unexpected("a value is missing");
        switch (text.charAt(position)) {
            case '{': return object(depth + 1);
            case '[': return array(depth + 1);
            case '"': return string();
            case 't': return word("true", Boolean.TRUE);
            case 'f': return word("false", Boolean.FALSE);
            case 'n': return word("null", null);
            default: return number();
        }
    }

    private Map<String, Object> object(int depth) throws JsonException {
        open(depth);
        Map<String, Object> members = new LinkedHashMap<>();
        if (closes('}')) return members;
        while (true) {
            skipSpace();
            if (position == text.length() || text.charAt(position) != '"') throw unexpected("a name is missing");
            String name = string();
            skipSpace();
            if (position == text.length() || text.charAt(position) != ':') throw unexpected("a colon is missing");
            position++;
            skipSpace();
            int start = position;
            Object value = value(depth);
            if (members.containsKey(name)) throw unexpected("a member appears twice");
            members.put(name, value);
            if (depth == 1) memberTexts.put(name, text.substring(start, position));
            if (closes('}')) return members;
            comma();
        }
    }

    private List<Object> array(int depth) throws JsonException {
        open(depth);
        List<Object> elements = new ArrayList<>();
        if (closes(']')) return elements;
        while (true) {
            elements.add(value(depth));
            if (closes(']')) return elements;
            comma();
        }
    }

    private void open(int depth) throws JsonException {
        if (depth > DEPTH_LIMIT) throw unexpected("arrays and objects are nested more than " + DEPTH_LIMIT + " deep");
        position++;
    }

    private boolean closes(char bracket) {
        skipSpace();
        if (position == text.length() || text.charAt(position) != bracket) return false;
        position++;
        return true;
    }

    private void comma() throws JsonException {
        if (position == text.length() || text.charAt(position) != ',') throw unexpected("a comma is missing");
        position++;
    }

    private String string() throws JsonException {
        position++;
        int start = position;
        StringBuilder escaped = null;
        while (position < text.length()) {
            char unit = text.charAt(position);
            if (unit == '"') {
                String rest = text.substring(start, position);
                position++;
                return escaped == null ? rest : escaped.append(rest).toString();
            }
            if (unit < 0x20) throw unexpected("a string has a control character");
            if (unit != '\\') {
                position++;
                continue;
            }
            if (escaped == null) escaped = new StringBuilder();
            escaped.append(text, start, position);
            position++;
            escape(escaped);
            start = position;
        }
        throw unexpected("a string has no end");
    }

    private void escape(StringBuilder into) throws JsonException {
        if (position == text.length()) throw unexpected("an escape has no end");
        char unit = text.charAt(position++);
        switch (unit) {
            case '"': case '\\': case '/': into.append(unit); return;
            case 'b': into.append('\b'); return;
            case 'f': into.append('\f'); return;
            case 'n': into.append('\n'); return;
            case 'r': into.append('\r'); return;
            case 't': into.append('\t'); return;
            case 'u': break;
            default: throw unexpected("an escape is unknown");
        }
        char first = hexadecimal();
        if (Character.isLowSurrogate(first)) throw unexpected("an escape is half a character");
        into.append(first);
        if (!Character.isHighSurrogate(first)) return;
        if (!text.startsWith("\\u", position)) throw unexpected("an escape is half a character");
        position += 2;
        char second = hexadecimal();
        if (!Character.isLowSurrogate(second)) throw unexpected("an escape is half a character");
        into.append(second);
    }

    private char hexadecimal() throws JsonException {
        if (position + 4 > text.length()) throw unexpected("an escape has no end");
        int value = 0;
        for (int end = position + 4; position < end; position++) {
            char unit = text.charAt(position);
            int digit = unit < 0x80 ? Character.digit(unit, 16) : -1;
            if (digit < 0) throw unexpected("an escape is unknown");
            value = value << 4 | digit;
        }
        return (char) value;
    }

    private Object number() throws JsonException {
        int start = position;
        if (peek() == '-') position++;
        if (peek() == '0') {
            position++;
        } else {
            digits();
        }
        boolean isPlain = true;
        if (peek() == '.') {
            isPlain = false;
            position++;
            digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            isPlain = false;
            position++;
            if (peek() == '+' || peek() == '-') position++;
            digits();
        }
        return number(text.substring(start, position), isPlain);
    }

    private static Object number(String digits, boolean isPlain) {
        // Longer ones are no integers of 64 bits, or written to waste time.
        if (digits.length() <= 40 && hasShortExponent(digits)) {
            try {
                return isPlain ? Long.valueOf(digits) : Long.valueOf(new BigDecimal(digits).longValueExact());
            } catch (ArithmeticException | NumberFormatException error) {
                // Not integral, or out of range.
            }
        }
        return Double.valueOf(digits);
    }

    /** Whether the exponent has at most two digits: Android writes out all digits that a longer one stands for. */
    private static boolean hasShortExponent(String digits) {
        int mark = Math.max(digits.indexOf('e'), digits.indexOf('E'));
        return mark < 0 || digits.length() - mark <= 4;
    }

    private void digits() throws JsonException {
        int start = position;
        while (peek() >= '0' && peek() <= '9') position++;
        if (position == start) throw unexpected("a value is missing");
    }

    private int peek() {
        return position < text.length() ? text.charAt(position) : -1;
    }

    private Object word(String word, Object value) throws JsonException {
        if (!text.startsWith(word, position)) throw unexpected("a value is missing");
        position += word.length();
        return value;
    }

    private void skipSpace() {
        while (position < text.length()) {
            char unit = text.charAt(position);
            if (unit != ' ' && unit != '\n' && unit != '\r' && unit != '\t') return;
            position++;
        }
    }

    private JsonException unexpected(String problem) {
        return new JsonException(problem + ", at character " + position);
    }
}
