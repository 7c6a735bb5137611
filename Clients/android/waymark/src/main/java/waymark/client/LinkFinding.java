package waymark.client;

import androidx.annotation.NonNull;

/** One line of {@code WaymarkClient.check}. */
public final class LinkFinding {
    private final String state;
    private final String check;
    private final String detail;
    private final String fix;

    public LinkFinding(@NonNull String state, @NonNull String check, @NonNull String detail, @NonNull String fix) {
        this.state = state;
        this.check = check;
        this.detail = detail;
        this.fix = fix;
    }

    /** {@code ok}, {@code finding} or {@code skipped}. */
    @NonNull
    public String getState() {
        return state;
    }

    /** What was compared, such as {@code domains}. */
    @NonNull
    public String getCheck() {
        return check;
    }

    @NonNull
    public String getDetail() {
        return detail;
    }

    /** What to do; empty if nothing. */
    @NonNull
    public String getFix() {
        return fix;
    }

    /** As {@code waymark doctor} prints it. */
    @Override
    @NonNull
    public String toString() {
        StringBuilder line = new StringBuilder("  ").append(state);
        while (line.length() < 11) line.append(' ');
        line.append(' ').append(check);
        while (line.length() < 20) line.append(' ');
        return line.append(' ').append(detail).append(fix.isEmpty() ? "" : "; " + fix).toString();
    }
}
