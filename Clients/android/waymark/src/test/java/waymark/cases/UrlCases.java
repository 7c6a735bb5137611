package waymark.cases;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import waymark.client.json.Json;
import waymark.client.routing.Deeplink;
import waymark.client.routing.Deeplinking;
import waymark.client.routing.RoutingDialect;
import waymark.client.template.DeepLinkTemplate;
import waymark.client.template.DeepLinkValues;
import waymark.client.template.MatchingOptions;
import waymark.client.template.ValueType;
import waymark.client.url.DeepLinkUrl;
import waymark.client.url.ServiceParameters;

/** The cases that need no service: URLs, routes and templates. */
final class UrlCases {
    private UrlCases() {}

    static Map<String, Object> url(Map<String, Object> input) {
        DeepLinkUrl url = new DeepLinkUrl(Json.asString(input.get("url")));
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("scheme", url.getScheme());
        result.put("authority", url.getAuthority());
        result.put("host", url.getHost());
        result.put("path", url.getPath());
        result.put("segments", url.getSegments());
        result.put("query", url.getQuery());
        List<Object> items = new ArrayList<>();
        for (DeepLinkUrl.QueryItem item : url.getQueryItems()) items.add(Arrays.asList(item.getName(),
                item.getValue()));
        result.put("queryItems", items);
        result.put("fragment", url.getFragment());
        ServiceParameters service = ServiceParameters.of(url);
        result.put("plain", service.getPlain().getText());
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("clickID", service.getClickId());
        parameters.put("smartlinkID", service.getSmartlinkId());
        parameters.put("needsMetadata", service.needsMetadata());
        result.put("service", parameters);
        String scheme = Json.asString(input.get("scheme"));
        result.put("appLink", scheme == null ? null : url.asAppLink(scheme).getText());
        return result;
    }

    static RoutingDialect dialect(Map<String, Object> input) {
        String dialect = Json.asString(input.get("dialect"));
        return dialect == null ? RoutingDialect.STANDARD
                : RoutingDialect.valueOf(dialect.toUpperCase(java.util.Locale.ROOT));
    }

    static String[] schemes(Map<String, Object> input) {
        List<Object> schemes = Json.asArray(input.get("schemes"));
        return schemes == null ? new String[] {"shop"} : schemes.toArray(new String[0]);
    }

    static Map<String, Object> routes(Map<String, Object> input) {
        Deeplinking deeplinking = new Deeplinking(null, dialect(input), schemes(input));
        List<Deeplink> opened = new ArrayList<>();
        List<Object> refused = new ArrayList<>();
        for (Object route : Json.asArray(input.get("routes"))) {
            try {
                deeplinking.map((String) route, deeplink -> opened.add(deeplink));
            } catch (IllegalStateException error) {
                refused.add(route);
            }
        }
        if (Boolean.TRUE.equals(input.get("defaultRoute"))) deeplinking.mapDefault(deeplink -> opened.add(deeplink));
        deeplinking.open(Json.asString(input.get("url")));
        Deeplink deeplink = opened.isEmpty() ? deeplinking.getCurrentDeeplink() : opened.get(0);
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("refused", refused);
        result.put("mapped", deeplinking.getMappedRoutes());
        result.put("opened", !opened.isEmpty());
        result.put("isCurrent", deeplinking.getCurrentDeeplink() != null);
        result.put("route", deeplink == null ? null : deeplink.getRoute());
        result.put("routeParameters", deeplink == null ? new LinkedHashMap<>() : deeplink.getRouteParameters());
        result.put("queryParameters", deeplink == null ? new LinkedHashMap<>() : deeplink.getQueryParameters());
        return result;
    }

    static Map<String, Object> templates(Map<String, Object> input) {
        List<DeepLinkTemplate> templates = new ArrayList<>();
        for (Object element : Json.asArray(input.get("templates"))) templates.add(template(Json.asObject(element)));
        MatchingOptions options = MatchingOptions.STRICT;
        Map<String, Object> given = Json.asObject(input.get("options"));
        if (given != null) {
            options = options.withUndeclaredQuery(Boolean.TRUE.equals(given.get("toleratesUndeclaredQuery")));
            if ("isLeftOut".equals(given.get("webHost"))) options = options.withAnyHost();
            List<Object> hosts = Json.asArray(given.get("webHost"));
            if (hosts != null) {
                List<String> names = new ArrayList<>();
                for (Object host : hosts) names.add((String) host);
                options = options.withHosts(names);
            }
        }
        String url = Json.asString(input.get("url"));
        int index = DeepLinkTemplate.firstMatch(templates, url, options);
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("matchedIndex", index < 0 ? null : (long) index);
        if (index < 0) return result;
        DeepLinkValues values = templates.get(index).values(url, options);
        result.put("path", values.getPath());
        result.put("query", values.getQuery());
        result.put("fragment", values.getFragment());
        return result;
    }

    private static DeepLinkTemplate template(Map<String, Object> json) {
        DeepLinkTemplate template = new DeepLinkTemplate();
        for (Object element : Json.asArray(json.get("path"))) {
            Map.Entry<String, Object> part = Json.asObject(element).entrySet().iterator().next();
            String text = (String) part.getValue();
            template = part.getKey().equals("term") ? template.term(text) : template.value(text, type(part.getKey()));
        }
        List<Object> query = Json.asArray(json.get("query"));
        for (Object element : query == null ? new ArrayList<>() : query) {
            Map<String, Object> parameter = Json.asObject(element);
            String name = Json.asString(parameter.get("name"));
            ValueType type = type(Json.asString(parameter.get("type")));
            template = Boolean.TRUE.equals(parameter.get("required"))
                    ? template.requiredParameter(name, type) : template.optionalParameter(name, type);
        }
        return template;
    }

    private static ValueType type(String name) {
        return ValueType.valueOf(name.toUpperCase(java.util.Locale.ROOT));
    }
}
