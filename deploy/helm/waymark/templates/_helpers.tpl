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
  "applications" "set the value applications" }}
{{- range $key, $value := $instead }}
{{- if hasKey $.Values.config $key }}
{{- fail (printf "config.%s can't be set: %s" $key $value) }}
{{- end }}
{{- end }}
{{- $config := dict "listen" (list "0.0.0.0:8080") "adminListen" "0.0.0.0:9180" "public" "/usr/share/waymark/Public" "logFormat" "json" }}
{{- if .Values.applications }}
{{- $_ := set $config "applications" "applications.json" }}
{{- end }}
{{- mustMergeOverwrite $config (deepCopy .Values.config) | mustToPrettyJson }}
{{- end }}
