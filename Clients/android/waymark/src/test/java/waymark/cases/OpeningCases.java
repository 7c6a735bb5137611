package waymark.cases;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import waymark.client.DeferredDeeplink;
import waymark.client.OnResult;
import waymark.client.json.Json;
import waymark.client.routing.Deeplinking;
import waymark.client.routing.LinkExplanation;
import waymark.client.routing.OpenResult;

/** The cases that open links one after the other, also after the end of the process, and those that explain them. */
final class OpeningCases {
    private OpeningCases() {}

    private static final class Steps {
        final Map<String, Object> input;
        final ClientCases.CaseRun world;
        final List<Object> diagnostics = new ArrayList<>();
        List<Object> targets = new ArrayList<>();
        Deeplinking router;
        boolean passes = true;
        String replacement;
        OpenResult result;

        Steps(Map<String, Object> input) throws Exception {
            this.input = input;
            world = new ClientCases.CaseRun(input);
            start();
        }

        void start() {
            router = new Deeplinking(world.client, UrlCases.dialect(input), UrlCases.schemes(input));
            router.setOnDiagnostic(diagnostic -> diagnostics.add(diagnostic.getStep()));
            for (String route : ClientCases.strings(input.get("routes"))) {
                router.map(route, deeplink -> targets.add(route));
            }
            if (Boolean.TRUE.equals(input.get("defaultRoute"))) router.mapDefault(deeplink -> targets.add(""));
            Deeplinking own = router;
            router.addFilter(deeplink -> {
                String next = replacement;
                replacement = null;
                if (next == null) return passes;
                own.open(next);
                return true;
            });
        }

        /** Makes one step; null for one that opens nothing. */
        private void make(Map<String, Object> step) throws Exception {
            OnResult<OpenResult> onResult = outcome -> result = outcome;
            String url = Json.asString(step.get("open"));
            if (url != null) router.open(url, onResult);
            if (step.get("openSmartlink") != null) {
                router.openSmartlink(Json.asString(step.get("openSmartlink")), onResult);
            }
            Map<String, Object> deferred = Json.asObject(step.get("openDeferred"));
            if (deferred != null) {
                String referrer = Json.asString(deferred.get("referrer"));
                router.openDeferred(referrer == null ? null : () -> referrer, Json.asString(deferred.get("clipboard")),
                        outcome -> result = outcome);
            }
            if (step.get("openCurrent") != null) router.openCurrentDeeplink(outcome -> result = outcome);
            if (step.get("passes") != null) passes = (Boolean) step.get("passes");
            if (step.get("replaces") != null) replacement = Json.asString(step.get("replaces"));
            if (step.get("meanwhile") != null) world.network.meanwhile = router::openCurrentDeeplink;
            if (step.get("networkIsBack") != null) router.networkIsBack();
            if (step.get("after") != null) world.network.time += (Long) step.get("after") * 1_000;
            if (step.get("restart") != null) {
                world.start();
                start();
            }
        }

        Map<String, Object> play(Map<String, Object> step) throws Exception {
            targets = new ArrayList<>();
            result = null;
            make(step);
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("status", result == null ? null : code(result.getOutcome().name()));
            members.put("targets", targets);
            members.put("deeplink", ClientCases.deeplink(router.getCurrentDeeplink()));
            return members;
        }
    }

    private static String code(String constant) {
        StringBuilder code = new StringBuilder();
        for (String word : constant.toLowerCase(Locale.ROOT).split("_")) {
            code.append(code.length() == 0 ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return code.toString().replace("Url", "URL");
    }

    static Map<String, Object> openings(Map<String, Object> input) throws Exception {
        Steps steps = new Steps(input);
        List<Object> results = new ArrayList<>();
        for (Object step : Json.asArray(input.get("steps"))) results.add(steps.play(Json.asObject(step)));
        Map<String, Object> members = steps.world.result;
        members.put("results", results);
        members.put("requests", steps.world.network.requests());
        members.put("diagnostics", steps.diagnostics);
        DeferredDeeplink installation = steps.world.client.getInstallationDeeplink();
        Map<String, Object> kept = new LinkedHashMap<>();
        if (installation != null) {
            kept.put("deeplink", installation.getLink().getDeeplink());
            kept.put("route", installation.getLink().getRoute());
            kept.put("routeParameters", installation.getLink().getRouteParameters());
            kept.put("queryParameters", installation.getLink().getQueryParameters());
            kept.put("metadata", ClientCases.metadata(installation.getLink().getMetadata()));
            kept.put("match", installation.getMatch());
            kept.put("clickID", installation.getClickId());
        }
        members.put("installation", installation == null ? null : kept);
        steps.world.events();
        return members;
    }

    static Map<String, Object> explain(Map<String, Object> input) throws Exception {
        Steps steps = new Steps(input);
        String url = Json.asString(input.get("explain"));
        LinkExplanation[] explained = {steps.router.explain(url)};
        if (Boolean.TRUE.equals(input.get("asks"))) steps.router.explain(url, explanation -> explained[0] = explanation);
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("outcome", code(explained[0].getOutcome().name()));
        members.put("why", code(explained[0].getWhy().name()));
        members.put("url", explained[0].getUrl());
        members.put("route", explained[0].getRoute());
        members.put("routeParameters", explained[0].getRouteParameters());
        members.put("otherRoutes", explained[0].getOtherRoutes());
        members.put("error", explained[0].getError() == null ? null : explained[0].getError().getKind().getCode());
        if (!explained[0].toString().contains("because")) throw new IllegalStateException("no reason: " + explained[0]);
        steps.world.result.put("explanation", members);
        steps.world.result.put("requests", steps.world.network.requests());
        steps.world.events();
        return steps.world.result;
    }
}
