package waymark.client.internal;

import waymark.client.url.DeepLinkUrl;
import waymark.client.url.LinkHosts;
import waymark.client.url.PercentEncoding;
import waymark.client.url.PortableText;
import waymark.client.url.ServiceParameters;

/**
 * The traces of the installation's origin that are sent to the service: a referrer with a click ID, and a text of the
 * clipboard that is a link of the app with a click ID. Anything else is private.
 */
public final class DeferredClaim {
    /** In bytes. Play's referrers and smart links are shorter. */
    private static final int LENGTH_LIMIT = 4_096;

    /** Null if there is none to send. */
    public final String referrer;
    /** Null if there is none to send. */
    public final String clipboard;
    /** The click that led to the installation; null if unknown. */
    public final String clickId;

    public DeferredClaim(String referrer, String clipboard, LinkHosts hosts) {
        String referred = referrer == null ? null : clickInReferrer(referrer);
        this.referrer = referred == null ? null : referrer;
        String link = clipboard == null ? null : link(clipboard, hosts);
        this.clipboard = link;
        String copied = link == null ? null : ServiceParameters.of(new DeepLinkUrl(link)).getClickId();
        clickId = referred != null ? referred : copied;
    }

    public boolean isEmpty() {
        return referrer == null && clipboard == null;
    }

    private static String link(String text, LinkHosts hosts) {
        // A longer text is no link, and may be a whole book.
        if (text.length() > 4 * LENGTH_LIMIT) return null;
        String link = trim(text);
        if (link.length() > LENGTH_LIMIT || !PortableText.isVisibleAscii(link)) return null;
        DeepLinkUrl url = new DeepLinkUrl(link);
        // A link without a click ID, copied from a message, can't match and would use up the only claim.
        boolean isOurs = hosts.contains(url) && ServiceParameters.of(url).getClickId() != null;
        // The service's links have no user, who might come with a password.
        return isOurs && url.getAuthority().indexOf('@') < 0 ? link : null;
    }

    private static String trim(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && isSpace(text.charAt(start))) start++;
        while (end > start && isSpace(text.charAt(end - 1))) end--;
        return text.substring(start, end);
    }

    private static boolean isSpace(char unit) {
        return Character.isWhitespace(unit) || Character.isSpaceChar(unit) || unit == '\u0085';
    }

    /** Reads the item {@code waymark}. Some callers pass the referrer still percent-encoded. */
    private static String clickInReferrer(String text) {
        if (text.length() > LENGTH_LIMIT) return null;
        String click = clickIn(text);
        return click != null ? click : clickIn(PercentEncoding.decode(text, false));
    }

    private static String clickIn(String text) {
        for (String item : PortableText.split(text, '&')) {
            if (!item.startsWith("waymark=")) continue;
            String value = PercentEncoding.decode(item.substring("waymark=".length()), true);
            if (!value.isEmpty()) return value;
        }
        return null;
    }
}
