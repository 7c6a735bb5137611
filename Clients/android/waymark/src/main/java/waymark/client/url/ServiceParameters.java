package waymark.client.url;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;

/** The service's own parameters in a deep link's query: the items whose decoded names begin with {@code _hk_}. */
public final class ServiceParameters {
    /** The prefix of these items' names, decoded and compared exactly. */
    public static final String PREFIX = "_hk_";

    private final DeepLinkUrl plain;
    private final String clickId;
    private final String smartlinkId;
    private final boolean needsMetadata;

    private ServiceParameters(DeepLinkUrl plain, String clickId, String smartlinkId, boolean needsMetadata) {
        this.plain = plain;
        this.clickId = clickId;
        this.smartlinkId = smartlinkId;
        this.needsMetadata = needsMetadata;
    }

    /**
     * Reads the parameters of a URL. The last of several with the same name wins, because the service appends its own
     * after the link's.
     */
    @NonNull
    public static ServiceParameters of(@NonNull DeepLinkUrl url) {
        String query = url.getQuery();
        // Most URLs have none.
        if (query == null || query.indexOf('_') < 0 && query.indexOf('%') < 0) {
            return new ServiceParameters(url, null, null, false);
        }
        String clickId = null;
        String smartlinkId = null;
        boolean needsMetadata = false;
        List<String> kept = new ArrayList<>();
        List<String> items = PortableText.split(query, '&');
        for (String text : items) {
            DeepLinkUrl.QueryItem item = new DeepLinkUrl.QueryItem(text);
            String name = PercentEncoding.decode(item.getName(), true);
            if (!name.startsWith(PREFIX)) {
                kept.add(text);
                continue;
            }
            String value = item.getValue() == null ? "" : PercentEncoding.decode(item.getValue(), true);
            if (name.equals("_hk_cid")) clickId = value.isEmpty() ? null : value;
            if (name.equals("_hk_sid")) smartlinkId = value.isEmpty() ? null : value;
            if (name.equals("_hk_md")) needsMetadata = true;
        }
        if (kept.size() == items.size()) return new ServiceParameters(url, null, null, false);
        DeepLinkUrl plain = DeepLinkUrl.of(url.getScheme(), url.getAuthority(), url.getPath(),
                kept.isEmpty() ? null : PortableText.join("&", kept), url.getFragment());
        return new ServiceParameters(plain, clickId, smartlinkId, needsMetadata);
    }

    /** The URL without these parameters; without a {@code ?} if nothing else was in the query. */
    @NonNull
    public DeepLinkUrl getPlain() {
        return plain;
    }

    /** The click that led to the link ({@code _hk_cid}), decoded; null if absent or empty. */
    @Nullable
    public String getClickId() {
        return clickId;
    }

    /** The smart link without a click ({@code _hk_sid}), decoded; null if absent or empty. Set by older services. */
    @Nullable
    public String getSmartlinkId() {
        return smartlinkId;
    }

    /** Whether metadata is waiting at the service ({@code _hk_md}). */
    public boolean needsMetadata() {
        return needsMetadata;
    }

    /** Without the click, which is worth its metadata. */
    @Override
    @NonNull
    public String toString() {
        return "ServiceParameters(hasClickId: " + (clickId != null) + ", needsMetadata: " + needsMetadata + ")";
    }
}
