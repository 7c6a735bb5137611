{{- define "waymark.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- /* At most 50 characters: the chart appends to it, and names of services have at most 63. */}}
{{- define "waymark.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else if contains (include "waymark.name" .) .Release.Name }}
{{- .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "waymark.name" .) | trunc 50 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "waymark.selectorLabels" -}}
app.kubernetes.io/name: {{ include "waymark.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "waymark.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "waymark.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "waymark.adminKeySecret" -}}
{{- default (printf "%s-admin-key" (include "waymark.fullname" .)) .Values.adminKey.existingSecret }}
{{- end }}

{{- /* waymark.json: what the chart needs, under what the values say. */}}
{{- define "waymark.config" -}}
{{- $instead := dict
  "listen" "the pod listens on port 8080; set service.type and service.port"
  "adminListen" "the operators' paths are on port 9180 of the pod and of the service with the suffix -admin"
  "database" "set persistence, or postgresql.enabled and postgresql.existingSecret"
  "public" "the pages are the image's own; build an image with others"
  "tlsListen" "the pod serves plain HTTP; set ingress.tls"
  "certificates" "the pod serves plain HTTP; set ingress.tls"
  "acme" "the pod serves plain HTTP; set ingress.tls, whose secret cert-manager can renew"
  "httpsRedirect" "the pod serves plain HTTP; let the ingress redirect"
  "applications" "set the value applications"
  "clickhouse" "set the value clickhouse, whose password is in a secret" }}
{{- range $key, $value := $instead }}
{{- if hasKey $.Values.config $key }}
{{- fail (printf "config.%s can't be set: %s" $key $value) }}
{{- end }}
{{- end }}
{{- $config := dict "listen" (list "0.0.0.0:8080") "adminListen" "0.0.0.0:9180" "public" "/usr/share/waymark/Public" "logFormat" "json" }}
{{- if .Values.applications }}
{{- $_ := set $config "applications" "applications.json" }}
{{- end }}
{{- if .Values.clickhouse.enabled }}
{{- $_ := set $config "clickhouse" (include "waymark.clickhouse" . | fromJson) }}
{{- end }}
{{- mustMergeOverwrite $config (deepCopy .Values.config) | mustToPrettyJson }}
{{- end }}

{{- /* The setting clickhouse. Its files are those of the secret. */}}
{{- define "waymark.clickhouse" -}}
{{- with .Values.clickhouse }}
{{- $setting := dict "url" (required "clickhouse.url is needed: ClickHouse's HTTP interface, such as https://clickhouse.example.com:8443" .url) "database" .database "user" .user "passwordFile" (printf "/etc/waymark-clickhouse/%s" .key) }}
{{- if .authorityKey }}
{{- $_ := set $setting "authority" (printf "/etc/waymark-clickhouse/%s" .authorityKey) }}
{{- end }}
{{- if .retentionDays }}
{{- $_ := set $setting "retentionDays" (int .retentionDays) }}
{{- end }}
{{- $setting | mustToJson }}
{{- end }}
{{- end }}

{{- define "waymark.securityContext" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "waymark.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: ["ALL"]
{{- end }}

{{- define "waymark.image" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{- /* The configuration, and the files that it names. */}}
{{- define "waymark.configVolumes" -}}
- name: config
  configMap:
    name: {{ include "waymark.fullname" . }}
{{- if .Values.clickhouse.enabled }}
- name: clickhouse
  secret:
    secretName: {{ required "clickhouse.existingSecret is needed: the secret with the password of ClickHouse's user" .Values.clickhouse.existingSecret }}
    # Readable by the group of the pod.
    defaultMode: 0440
{{- end }}
{{- end }}

{{- define "waymark.configMounts" -}}
- name: config
  mountPath: /etc/waymark
  readOnly: true
{{- if .Values.clickhouse.enabled }}
- name: clickhouse
  mountPath: /etc/waymark-clickhouse
  readOnly: true
{{- end }}
{{- end }}
