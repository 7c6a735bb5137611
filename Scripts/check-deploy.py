"""What Scripts/check-deploy can't ask another program: metrics that dashboard and alerts name, and the Helm chart.

    check-deploy.py WORK [PROGRAM]

WORK is a folder for what is written on the way. PROGRAM, if given, checks the configurations that the chart and the compose
files mount. Needs helm-python-sdk, which is Helm's own code, and kubernetes-validate.
"""

import json
import pathlib
import re
import subprocess
import sys

import helm_python as helm
import kubernetes_validate
import yaml

work = pathlib.Path(sys.argv[1])
program = sys.argv[2] if len(sys.argv) > 2 else None
deploy = pathlib.Path("deploy")
problems = []

# MARK: Metrics and queries.

documented = set()
for row in pathlib.Path("docs/operations/metrics.md").read_text(encoding="utf-8").splitlines():
    documented.update(re.findall(r"^\| `((?:waymark|process)_\w+)` \|", row))
assert len(documented) > 40, "docs/operations/metrics.md has no table of metrics any more"


def check_metrics(file, query):
    for name in re.findall(r"\b(?:waymark|process)_\w+", query):
        if name not in documented and re.sub(r"_(bucket|sum|count)$", "", name) not in documented:
            problems.append(f"{file}: {name} is not in docs/operations/metrics.md")


rules = deploy / "prometheus/waymark.rules.yaml"
alerts = []
for rule in [rule for group in yaml.safe_load(rules.read_text(encoding="utf-8"))["groups"] for rule in group["rules"]]:
    check_metrics(rules, rule["expr"])
    if "alert" in rule:
        alerts.append(rule)
tests = (deploy / "prometheus/waymark.rules.test.yaml").read_text(encoding="utf-8")
for alert in alerts:
    if not re.search(rf"\b{alert['alert']}\b", tests):
        problems.append(f"{rules}: {alert['alert']} has no test")


def dashboard(board):
    """The panels and the names of variables, once places and ids are checked."""
    content = json.loads(board.read_text(encoding="utf-8"))
    occupied, ids = {}, set()
    for panel in content["panels"]:
        if panel["id"] in ids:
            problems.append(f"{board}: two panels have the id {panel['id']}")
        ids.add(panel["id"])
        place = panel["gridPos"]
        for cell in [(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])]:
            if cell in occupied:
                problems.append(f"{board}: {panel['title']} covers {occupied[cell]}")
                break
            occupied[cell] = panel["title"]
    return content["panels"], {variable["name"] for variable in content["templating"]["list"]}


# Scripts/check-clickhouse runs its queries.
dashboard(deploy / "grafana/clicks.json")
board = deploy / "grafana/waymark.json"
panels, variables = dashboard(board)
queries = []
for panel in panels:
    for target in panel.get("targets", []):
        query = target["expr"]
        check_metrics(board, query)
        for variable in re.findall(r"\$(\w+)", query):
            if variable not in variables | {"__rate_interval", "__range"}:
                problems.append(f"{board}: {panel['title']} uses ${variable}, which does not exist")
        queries.append(re.sub(r"\$\w+", "x", re.sub(r"\$__(rate_interval|range)", "5m", query)))
# promtool knows queries only as rules.
recorded = work / "dashboard.rules.yaml"
recorded.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": [
    {"record": f"query:{number}", "expr": query} for number, query in enumerate(queries)]}]}), encoding="utf-8")
checked = subprocess.run(["promtool", "check", "rules", str(recorded)], capture_output=True, text=True)
if checked.returncode != 0:
    problems.append(f"{board}: {checked.stdout}{checked.stderr}")

# MARK: The chart.

chart_folder = deploy / "helm/waymark"
version = re.search(r'static let text = "(.+)"', pathlib.Path("Sources/waymark/Program/Version.swift").read_text(encoding="utf-8"))[1]
if yaml.safe_load((chart_folder / "Chart.yaml").read_text(encoding="utf-8"))["appVersion"] != version:
    problems.append(f"{chart_folder}/Chart.yaml: appVersion is not {version}, the version of the program")

demo = json.loads(pathlib.Path("Config/demo-apps.json").read_text(encoding="utf-8"))
postgres = {"enabled": True, "existingSecret": "database"}
accepted = {
    "defaults": {},
    "everything": {
        "replicas": 3, "postgresql": postgres, "applications": demo, "imagePullSecrets": [{"name": "registry"}],
        "config": {"trustedProxies": ["10.0.0.0/8"], "limits": {"connections": 5000}},
        "extraEnv": [{"name": "TMPDIR", "value": "/tmp"}], "extraEnvFrom": [{"secretRef": {"name": "more"}}],
        "adminKey": {"existingSecret": "mine", "key": "my.key"}, "podAnnotations": {"a": "b"},
        "service": {"type": "LoadBalancer", "port": 8080, "annotations": {"a": "b"}},
        "ingress": {
            "enabled": True, "className": "nginx", "annotations": {"a": "b"}, "hosts": ["go.example.com", "links.example.com"],
            "tls": [{"secretName": "tls", "hosts": ["go.example.com"]}]},
        "serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}},
        "nodeSelector": {"disk": "fast"}, "tolerations": [{"operator": "Exists"}],
        "affinity": {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": []}},
    },
    "clicks in ClickHouse": {
        "postgresql": postgres, "clickhouse": {
            "enabled": True, "url": "https://clickhouse.example.com:8443", "existingSecret": "clickhouse", "authorityKey": "ca.pem",
            "cluster": "analytics", "retentionDays": 400},
        "config": {"clicks": {"retentionDays": 7}}},
    "clicks in ClickHouse of one server": {"clickhouse": {"enabled": True, "url": "http://clickhouse:8123", "existingSecret": "mine"}},
    "storage": {"persistence": {"storageClass": "fast", "size": "100Gi"}, "fullnameOverride": "links"},
}
refused = {
    "several servers on SQLite": ({"replicas": 2}, "needs postgresql.enabled"),
    "PostgreSQL without its URL": ({"postgresql": {"enabled": True}}, "existingSecret is needed"),
    "an ingress without hosts": ({"ingress": {"enabled": True}}, "hosts is empty"),
    "an address that the environment beats": ({"config": {"listen": ["0.0.0.0:80"]}}, "service.port"),
    "an address of operators that no service has": ({"config": {"adminListen": "0.0.0.0:1"}}, "9180"),
    "a database that the environment beats": ({"config": {"database": "sqlite:/x"}}, "postgresql.existingSecret"),
    "pages that the environment beats": ({"config": {"public": "/x"}}, "image"),
    "TLS on a port that is not open": ({"config": {"tlsListen": ["0.0.0.0:443"]}}, "ingress.tls"),
    "an authority that reaches no port": ({"config": {"acme": {"email": "a@example.com"}}}, "ingress.tls"),
    "ClickHouse without its URL": ({"clickhouse": {"enabled": True, "existingSecret": "clickhouse"}}, "clickhouse.url is needed"),
    "ClickHouse without its secret": ({"clickhouse": {"enabled": True, "url": "http://clickhouse:8123"}}, "existingSecret is needed"),
    "a password in the configuration": ({"config": {"clickhouse": {"url": "http://clickhouse:8123"}}}, "in a secret"),
    "a password in ClickHouse's URL": (
        {"clickhouse": {"enabled": True, "url": "https://me:secret@clickhouse:8443", "existingSecret": "clickhouse"}}, "url"),
    "a misspelt value": ({"replica": 1}, "replica"),
    "a port that is none": ({"service": {"port": 0}}, "port"),
}
expected = {"defaults": {"StatefulSet"}, "everything": {"Deployment", "Ingress", "PodDisruptionBudget", "ServiceMonitor"},
            "clicks in ClickHouse": {"Deployment", "Job"}, "clicks in ClickHouse of one server": {"StatefulSet", "Job"}}


def configurations(name, kind, document):
    """The files of a ConfigMap, as `waymark check-config` reads them."""
    folder = work / name
    folder.mkdir()
    for file, text in document["data"].items():
        (folder / file).write_text(text, encoding="utf-8")
    return folder / "waymark.json"


def check_configuration(file, label):
    """Paths in the image become those of this checkout, and those of secrets a file here."""
    if program is None:
        return
    text = file.read_text(encoding="utf-8")
    text = text.replace("/usr/share/waymark/Public", str(pathlib.Path("Public").resolve()))
    (work / "secret").write_text("secret\n", encoding="utf-8")
    text = re.sub(r"/run/secrets/clickhouse|/etc/waymark-clickhouse/(password|ca\.pem)", str(work / "secret"), text)
    file.write_text(text.replace("/var/lib/waymark", str(work)), encoding="utf-8")
    result = subprocess.run([program, "check-config", "--config", str(file)], capture_output=True, text=True)
    if result.returncode != 0:
        problems.append(f"{label}: {result.stderr.strip()}")


linted = helm.lint(str(chart_folder))
for message in linted.get("messages", []):
    if message.get("severity", 0) not in (0, 1, "INFO", "UNKNOWN"):
        problems.append(f"helm lint: {message}")
with helm.Chart.load(str(chart_folder)) as chart:
    for name, values in accepted.items():
        kinds = set()
        for file, text in chart.render(values, name="links", namespace="default").items():
            for document in yaml.safe_load_all(text) if file.endswith(".yaml") else []:
                if not document:
                    continue
                kinds.add(document["kind"])
                if document["kind"] == "ConfigMap":
                    check_configuration(configurations(name, file, document), f"{file} ({name})")
                if document["kind"] == "ServiceMonitor":
                    continue
                for kubernetes in ("1.25", "1.34"):
                    try:
                        kubernetes_validate.validate(document, kubernetes, strict=True)
                    except kubernetes_validate.ValidationError as error:
                        problems.append(f"{file} ({name}, Kubernetes {kubernetes}): {error.message}")
        if not expected.get(name, set()) <= kinds:
            problems.append(f"{chart_folder} ({name}) renders {', '.join(sorted(kinds))} alone")
    for name, (values, reason) in refused.items():
        try:
            chart.render(values, name="links", namespace="default")
            problems.append(f"{chart_folder} accepts {name}")
        except helm.HelmError as error:
            if reason not in str(error):
                problems.append(f"{chart_folder} refuses {name} because of {error}")

# MARK: What the compose files mount.

for name in ("waymark", "several", "clickhouse"):
    folder = work / f"compose-{name}"
    folder.mkdir()
    (folder / "certificates").symlink_to(work / "certificates")
    (folder / "demo-apps.json").write_text(json.dumps(demo), encoding="utf-8")
    (folder / "waymark.json").write_text((deploy / f"compose/{name}.json").read_text(encoding="utf-8"), encoding="utf-8")
    # Without it everyone can read /metrics.
    if "adminListen" not in json.loads((folder / "waymark.json").read_text(encoding="utf-8")):
        problems.append(f"deploy/compose/{name}.json has no adminListen")
    check_configuration(folder / "waymark.json", f"deploy/compose/{name}.json")
(work / "debian.json").write_text((deploy / "debian/waymark.json").read_text(encoding="utf-8"), encoding="utf-8")
check_configuration(work / "debian.json", "deploy/debian/waymark.json")

if problems:
    sys.exit("\n".join(problems))
print(f"{len(alerts)} alerts and {len(queries)} queries use documented metrics; the chart renders {len(accepted)} ways.")
