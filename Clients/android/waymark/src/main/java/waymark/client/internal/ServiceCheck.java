package waymark.client.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import waymark.client.LinkFinding;
import waymark.client.WaymarkException;
import waymark.client.json.Json;
import waymark.client.url.PercentEncoding;
import waymark.client.url.PortableText;

/** Compares what an app is made of with what the service knows. */
public final class ServiceCheck {
    /** In milliseconds. */
    private static final long CLOCK_LIMIT = 5 * 60_000;

    private final RequestSender sender;
    private final String app;
    private final String platform;
    private final byte[] resolve;
    private final List<LinkFinding> findings = new ArrayList<>();

    /** @param resolve the body of a resolve that no link has */
    public ServiceCheck(RequestSender sender, String app, String platform, byte[] resolve) {
        this.sender = sender;
        this.app = app;
        this.platform = platform;
        this.resolve = resolve;
    }

    public List<LinkFinding> run(Set<String> domains, List<String> schemes, boolean hasRoutes) {
        service();
        application(domains, schemes);
        if (hasRoutes) ok("routes", "there is a route or a default route");
        else found("routes", "no route and no default route is mapped", "map one before links open");
        return findings;
    }

    private void service() {
        int status;
        WaymarkException failure = null;
        try {
            status = sender.sendOnce("POST", "/api/v1/resolve", resolve).getStatus();
        } catch (WaymarkException error) {
            failure = error;
            status = error.getStatus();
        }
        boolean isProblem = failure != null && failure.getProblem() != null;
        boolean isUnknown = isProblem && failure.getProblem().getName().equals("link-unknown");
        if (failure == null || isUnknown || isProblem && (status == 401 || status == 403)) {
            ok("service", "it answers");
        } else {
            found("service", failure.getMessage(), "check the service's address and that it runs");
        }
        if (failure == null || isUnknown) {
            ok("key", "it may resolve links");
        } else if (status == 401) {
            found("key", "the service does not know it, or it has ended", "make a new one with: waymark keys create");
        } else if (status == 403) {
            found("key", "it lacks the scope resolve", "make one with: waymark keys create --scope resolve");
        } else {
            skipped("key", "the service did not say");
        }
        clock();
    }

    private void clock() {
        long service = sender.serviceTime();
        if (service < 0) {
            skipped("clock", "the service named no time");
            return;
        }
        long seconds = Math.abs(sender.clock.now() - service) / 1_000;
        if (seconds * 1_000 <= CLOCK_LIMIT) ok("clock", "it agrees with the service's");
        else found("clock", "it differs from the service's by " + seconds + " s", "set the device's time");
    }

    private void application(Set<String> domains, List<String> schemes) {
        if (app == null) {
            skip("the client has no app");
            return;
        }
        Json json;
        try {
            String path = "/api/v1/apps/" + PercentEncoding.encode(app);
            json = Json.readObject(sender.sendOnce("GET", path, new byte[0]).getBody());
        } catch (WaymarkException error) {
            if (error.getStatus() == 404) {
                found("app", "the service has no application " + app, "use one of: waymark apps list");
                skipped("domains", "there is no application");
                skipped("scheme", "there is no application");
            } else {
                skip("the key may not read the application, or the service did not answer");
            }
            return;
        }
        if (json == null) {
            skip("the answer is not the service's");
            return;
        }
        ok("app", app);
        compare(domains, texts(json.getMembers().get("domains")));
        scheme(schemes, json.getMembers());
    }

    private void skip(String why) {
        for (String check : new String[] {"app", "domains", "scheme"}) skipped(check, why);
    }

    private void compare(Set<String> own, Set<String> known) {
        Set<String> hosts = new TreeSet<>();
        for (String domain : own) hosts.add(PortableText.lowercase(domain));
        Set<String> foreign = new TreeSet<>(hosts);
        foreign.removeAll(known);
        Set<String> missing = new TreeSet<>(known);
        missing.removeAll(hosts);
        if (known.isEmpty()) {
            ok("domains", "the application has all hosts that no other one has");
        } else if (!foreign.isEmpty()) {
            found("domains", "the application does not have " + join(foreign), "add them there, or remove them from domains");
        } else if (!missing.isEmpty()) {
            found("domains", "the app lacks " + join(missing), "add them to domains and to the intent filter");
        } else {
            ok("domains", join(hosts));
        }
    }

    private void scheme(List<String> schemes, Map<String, Object> members) {
        Map<String, Object> own = Json.asObject(members.get("urlSchemes"));
        String name = platform;
        if (own == null) {
            // The whole document, which a key of the scope admin reads.
            own = Json.asObject(members.get(platform));
            name = "urlScheme";
        }
        String scheme = own == null ? null : Json.asString(own.get(name));
        if (scheme == null) {
            skipped("scheme", "the service named none for " + platform);
            return;
        }
        boolean isKnown = false;
        for (String each : schemes) isKnown |= each.equalsIgnoreCase(scheme);
        if (isKnown) ok("scheme", scheme);
        else found("scheme", "the application's is " + scheme + ", the router's " + PortableText.join(", ", schemes),
                "give the router the application's scheme");
    }

    private static Set<String> texts(Object array) {
        Set<String> texts = new TreeSet<>();
        List<Object> elements = Json.asArray(array);
        for (Object element : elements == null ? new ArrayList<>() : elements) {
            Map<String, Object> object = Json.asObject(element);
            String text = object == null ? Json.asString(element) : Json.asString(object.get("domain"));
            if (text != null) texts.add(PortableText.lowercase(text));
        }
        return texts;
    }

    private static String join(Set<String> texts) {
        return PortableText.join(", ", new ArrayList<>(texts));
    }

    private void ok(String check, String detail) {
        findings.add(new LinkFinding("ok", check, detail, ""));
    }

    private void skipped(String check, String detail) {
        findings.add(new LinkFinding("skipped", check, detail, ""));
    }

    private void found(String check, String detail, String fix) {
        findings.add(new LinkFinding("finding", check, detail, fix));
    }
}
