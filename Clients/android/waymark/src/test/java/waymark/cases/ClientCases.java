package waymark.cases;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import waymark.client.ClientSettings;
import waymark.client.DeeplinkMetadata;
import waymark.client.DeferredDeeplink;
import waymark.client.LinkRequest;
import waymark.client.RetryPolicy;
import waymark.client.WaymarkClient;
import waymark.client.WaymarkException;
import waymark.client.json.Json;
import waymark.client.routing.Deeplink;
import waymark.client.routing.DeeplinkBuilder;
import waymark.client.routing.Deeplinking;
import waymark.client.routing.InvalidParametersException;
import waymark.client.routing.MissingParametersException;
import waymark.client.storage.MemoryStorage;

/** The cases that call a service, whose responses are given. */
final class ClientCases {
    private ClientCases() {}

    /** One case's network, storage and client. */
    static final class CaseRun {
        final ScriptedNetwork network;
        final MemoryStorage storage = new MemoryStorage();
        WaymarkClient client;
        private final Map<String, Object> input;
        final Map<String, Object> result = new LinkedHashMap<>();

        CaseRun(Map<String, Object> input) throws WaymarkException {
            this.input = input;
            network = new ScriptedNetwork(Json.asArray(input.get("answers")));
            start();
        }

        /** Another client with the same storage and answers. */
        void start() throws WaymarkException {
            if (input.get("random") instanceof Number) network.random = ((Number) input.get("random")).doubleValue();
            ClientSettings settings = WaymarkClient.builder("https://go.example.com", "wm_0123456789abcdef")
                    .app(input.containsKey("app") ? Json.asString(input.get("app")) : "shop")
                    .appVersion(Json.asString(input.get("appVersion")))
                    .storage(storage).transport(network).clock(network).randomness(network)
                    .executor(Runnable::run).callbackExecutor(Runnable::run)
                    .sendsEvents(false);
            if (input.get("platform") != null) settings.platform(Json.asString(input.get("platform")));
            if (input.get("domains") != null) settings.domains(strings(input.get("domains")));
            if (input.get("eventLimit") != null) settings.eventLimit(((Long) input.get("eventLimit")).intValue());
            if (input.get("eventAge") != null) settings.eventAgeSeconds((Long) input.get("eventAge"));
            Map<String, Object> retry = Json.asObject(input.get("retry"));
            if (retry != null) {
                settings.retry(new RetryPolicy((int) number(retry, "attempts", 4),
                        (long) (number(retry, "firstWait", 0.5) * 1_000),
                        (long) (number(retry, "longestWait", 20) * 1_000)));
            }
            client = settings.build();
        }

        private static double number(Map<String, Object> members, String name, double otherwise) {
            Object value = members.get(name);
            return value instanceof Number ? ((Number) value).doubleValue() : otherwise;
        }

        void outcome(WaymarkException error) {
            result.put("outcome", error == null ? "ok" : error.getKind().getCode());
            boolean hasStatus = error != null && error.getStatus() > 0;
            result.put("status", hasStatus ? (long) error.getStatus() : null);
            boolean hasProblem = error != null && error.getProblem() != null;
            result.put("problem", hasProblem ? error.getProblem().getName() : null);
        }

        void events() throws Exception {
            byte[] bytes = storage.read("events");
            Object stored = bytes == null ? new ArrayList<>() : Json.read(bytes).getMembers().get("events");
            result.put("events", ScriptedNetwork.withoutIdentifiers(stored));
        }
    }

    static List<String> strings(Object array) {
        List<String> strings = new ArrayList<>();
        for (Object element : Json.asArray(array)) strings.add((String) element);
        return strings;
    }

    private static int repeats(Map<String, Object> input) {
        return input.get("repeats") instanceof Long ? ((Long) input.get("repeats")).intValue() : 1;
    }

    static Map<String, Object> create(Map<String, Object> input) throws Exception {
        CaseRun world = new CaseRun(input);
        String route = Json.asString(input.get("route"));
        DeeplinkBuilder builder = route == null ? new DeeplinkBuilder() : new DeeplinkBuilder(route);
        for (Map.Entry<String, Object> each : members(input, "routeParameters").entrySet()) {
            builder.routeParameter(each.getKey(), each.getValue());
        }
        for (Map.Entry<String, Object> each : members(input, "queryParameters").entrySet()) {
            builder.queryParameter(each.getKey(), each.getValue());
        }
        for (Map.Entry<String, Object> each : members(input, "urls").entrySet()) {
            builder.url(each.getKey(), (String) each.getValue());
        }
        builder.metadata(Json.asObject(input.get("metadata"))).unique(Boolean.TRUE.equals(input.get("unique")));
        if (input.get("redeemLimit") != null) builder.redeemLimit(((Long) input.get("redeemLimit")).intValue());
        Deeplink deeplink;
        try {
            deeplink = builder.build();
        } catch (MissingParametersException error) {
            world.result.put("missing", error.getNames());
            return world.result;
        } catch (InvalidParametersException error) {
            world.result.put("invalid", error.getNames());
            return world.result;
        }
        world.result.put("url", deeplink.getUrl());
        try {
            world.result.put("smartlink", world.client.createSmartlink(deeplink.toLinkRequest()));
            world.outcome(null);
        } catch (WaymarkException error) {
            world.outcome(error);
        }
        world.result.put("requests", world.network.requests());
        return world.result;
    }

    private static Map<String, Object> members(Map<String, Object> input, String name) {
        Map<String, Object> members = Json.asObject(input.get(name));
        return members == null ? new LinkedHashMap<>() : members;
    }

    static Map<String, Object> resolve(Map<String, Object> input) throws Exception {
        CaseRun world = new CaseRun(input);
        Deeplinking deeplinking = new Deeplinking(
                world.client, UrlCases.dialect(input), UrlCases.schemes(input));
        List<Deeplink> opened = new ArrayList<>();
        for (String route : strings(input.get("routes"))) deeplinking.map(route, deeplink -> opened.add(deeplink));
        if (Boolean.TRUE.equals(input.get("defaultRoute"))) deeplinking.mapDefault(deeplink -> opened.add(deeplink));
        if (Boolean.TRUE.equals(input.get("holdsBack"))) deeplinking.addFilter(deeplink -> false);
        deeplinking.open(Json.asString(input.get("open")));
        world.result.put("requests", world.network.requests());
        world.result.put("opened", !opened.isEmpty());
        world.result.put("deeplink", deeplink(deeplinking.getCurrentDeeplink()));
        world.events();
        return world.result;
    }

    static Object deeplink(Deeplink deeplink) {
        if (deeplink == null) return null;
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("url", deeplink.getOpenedUrl());
        members.put("route", deeplink.getRoute());
        members.put("routeParameters", deeplink.getRouteParameters());
        members.put("queryParameters", deeplink.getQueryParameters());
        members.put("metadata", metadata(deeplink.getMetadata()));
        members.put("clickID", deeplink.getClickId());
        members.put("smartlink", deeplink.getSmartlink());
        members.put("isDeferred", deeplink.isDeferred());
        members.put("wasOpened", deeplink.wasOpened());
        members.put("error", deeplink.getError() == null ? null : deeplink.getError().getKind().getCode());
        return members;
    }

    static Object metadata(DeeplinkMetadata metadata) {
        return metadata == null ? null : metadata.getMembers();
    }

    static Map<String, Object> retries(Map<String, Object> input) throws Exception {
        CaseRun world = new CaseRun(input);
        String call = Json.asString(input.get("call"));
        if (call.equals("flush")) world.client.recordOpen("c1");
        for (int count = repeats(input); count > 0; count--) {
            try {
                switch (call) {
                    case "resolve": world.client.resolve("https://go.example.com/Ab3dE9x"); break;
                    case "create":
                        world.client.createSmartlink(new LinkRequest().url("web", "https://www.example.com/"));
                        break;
                    default: world.client.flush();
                }
                world.outcome(null);
            } catch (WaymarkException error) {
                world.outcome(error);
            }
        }
        world.result.put("attempts", (long) world.network.sent.size());
        world.result.put("waits", world.network.waits);
        world.result.put("keys", world.network.keys());
        return world.result;
    }

    static Map<String, Object> deferred(Map<String, Object> input) throws Exception {
        CaseRun world = new CaseRun(input);
        for (int count = repeats(input); count > 0; count--) {
            world.result.put("deferred", null);
            try {
                DeferredDeeplink deferred = world.client.claimDeferred(
                        Json.asString(input.get("referrer")), Json.asString(input.get("clipboard")));
                world.outcome(null);
                if (deferred == null) continue;
                Map<String, Object> members = new LinkedHashMap<>();
                members.put("deeplink", deferred.getLink().getDeeplink());
                members.put("metadata", metadata(deferred.getLink().getMetadata()));
                members.put("match", deferred.getMatch());
                members.put("clickID", deferred.getClickId());
                world.result.put("deferred", members);
            } catch (WaymarkException error) {
                world.outcome(error);
            }
        }
        world.result.put("requests", world.network.requests());
        world.events();
        return world.result;
    }

    static Map<String, Object> events(Map<String, Object> input) throws Exception {
        CaseRun world = new CaseRun(input);
        for (Object element : Json.asArray(input.get("record"))) {
            Map<String, Object> event = Json.asObject(element);
            if (event.get("after") != null) world.network.time += (Long) event.get("after") * 1_000;
            world.client.recordOpen(Json.asString(event.get("clickID")), Json.asString(event.get("smartlink")));
        }
        try {
            world.client.flush();
            world.outcome(null);
        } catch (WaymarkException error) {
            world.outcome(error);
        }
        List<Object> batches = new ArrayList<>();
        for (Object request : world.network.requests()) {
            List<Object> batch = new ArrayList<>();
            Map<String, Object> body = Json.asObject(Json.asObject(request).get("json"));
            for (Object element : Json.asArray(body.get("events"))) {
                Map<String, Object> event = Json.asObject(element);
                batch.add(event.containsKey("clickID") ? event.get("clickID") : event.get("smartlink"));
            }
            batches.add(batch);
        }
        world.result.put("batches", batches);
        Map<String, Object> counts = new LinkedHashMap<>();
        counts.put("waiting", (long) world.client.getEventCounts().getWaiting());
        counts.put("dropped", world.client.getEventCounts().getDropped());
        counts.put("refused", world.client.getEventCounts().getRefused());
        world.result.put("counts", counts);
        return world.result;
    }
}
