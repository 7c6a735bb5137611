package waymark.client.internal;

import java.util.Arrays;
import java.util.List;
import waymark.client.url.PortableText;

/** The value of {@code Retry-After} (RFC 9110, section 10.2.3): seconds, or an IMF-fixdate. */
public final class RetryAfter {
    /** One day in milliseconds; a longer wait makes no difference to an app. */
    private static final long LIMIT = 86_400_000L;
    private static final List<String> MONTHS = Arrays.asList(
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");

    private static final List<String> WEEKDAYS = PortableText.split("Thu, Fri, Sat, Sun, Mon, Tue, Wed,", ' ');

    private RetryAfter() {}

    /**
     * @param now Unix time in milliseconds
     * @return milliseconds to wait; -1 if the text is null or neither of the two
     */
    public static long read(String text, long now) {
        if (text == null) return -1;
        String trimmed = text.trim();
        int number = number(trimmed, 0, Integer.MAX_VALUE);
        if (number >= 0) return Math.min(number * 1_000L, LIMIT);
        if (isDigits(trimmed)) return LIMIT;
        long moment = date(trimmed);
        return moment < 0 ? -1 : Math.min(Math.max(moment - now, 0), LIMIT);
    }

    /** Unix time in milliseconds of a date such as {@code Sun, 06 Nov 1994 08:49:37 GMT}; -1 for any other text. */
    static long date(String text) {
        if (text == null) return -1;
        List<String> words = PortableText.split(text, ' ');
        // All parts have a fixed length.
        if (text.length() != 29 || words.size() != 6 || !words.get(5).equals("GMT")) return -1;
        int day = number(words.get(1), 1, 31);
        int month = MONTHS.indexOf(words.get(2));
        int year = number(words.get(3), 1970, 9999);
        List<String> time = PortableText.split(words.get(4), ':');
        if (day < 0 || month < 0 || year < 0 || time.size() != 3) return -1;
        int hour = number(time.get(0), 0, 23);
        int minute = number(time.get(1), 0, 59);
        int second = number(time.get(2), 0, 60);
        if (hour < 0 || minute < 0 || second < 0) return -1;
        long days = days(year, month + 1, day);
        int nextMonth = month == 11 ? 1 : month + 2;
        boolean isInMonth = days < days(month == 11 ? year + 1 : year, nextMonth, 1);
        // 1 January 1970 was a Thursday.
        boolean isWeekday = words.get(0).equals(WEEKDAYS.get((int) (days % 7)));
        return isInMonth && isWeekday ? ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1_000L : -1;
    }

    /** Days since 1970 of a date in the Gregorian calendar, counted in years that begin in March. */
    private static long days(int year, int month, int day) {
        long years = month > 2 ? year : year - 1;
        long dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
        return years * 365 + years / 4 - years / 100 + years / 400 + dayOfYear - 719_468;
    }

    /** -1 if the text is not a number in the range. */
    private static int number(String text, int least, int greatest) {
        if (!isDigits(text) || text.length() > 10) return -1;
        long value = Long.parseLong(text);
        return value < least || value > greatest ? -1 : (int) value;
    }

    private static boolean isDigits(String text) {
        for (int index = 0; index < text.length(); index++) {
            if (text.charAt(index) < '0' || text.charAt(index) > '9') return false;
        }
        return !text.isEmpty();
    }
}
