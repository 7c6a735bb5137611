{{- /* The pod of the StatefulSet and of the Deployment. */}}
{{- define "waymark.pod" -}}
metadata:
  labels:
    {{- include "waymark.selectorLabels" . | nindent 4 }}
  annotations:
    # A changed configuration rolls out.
    checksum/config: {{ include (print $.Template.BasePath "/configmap.yaml") . | sha256sum }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  automountServiceAccountToken: false
  # The server has 15 seconds for requests in flight, and writes clicks afterwards.
  terminationGracePeriodSeconds: 40
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    {{- include "waymark.securityContext" . | nindent 4 }}
  containers:
    - name: waymark
      {{- include "waymark.image" . | nindent 6 }}
      args: ["serve", "--config", "/etc/waymark/waymark.json"]
      env:
        - name: WAYMARK_ADMIN_KEY
          valueFrom:
            secretKeyRef:
              name: {{ include "waymark.adminKeySecret" . }}
              key: {{ .Values.adminKey.key }}
        {{- if .Values.postgresql.enabled }}
        # Beats the image's own, which is a SQLite file.
        - name: WAYMARK_DATABASE
          valueFrom:
            secretKeyRef:
              name: {{ required "postgresql.existingSecret is needed: the secret with the database's URL" .Values.postgresql.existingSecret }}
              key: {{ .Values.postgresql.key }}
        {{- end }}
        {{- with .Values.extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with .Values.extraEnvFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      ports:
        - name: http
          containerPort: 8080
        - name: admin
          containerPort: 9180
      # A pod gets no visits before it has reached the database once. Later it keeps them while the database is away,
      # because redirects are served from memory: if every pod were taken out, all links would be down.
      startupProbe:
        httpGet: {path: /readyz, port: http}
        periodSeconds: 2
        failureThreshold: 150
      readinessProbe:
        httpGet: {path: /healthz, port: http}
        periodSeconds: 5
      livenessProbe:
        httpGet: {path: /healthz, port: http}
        periodSeconds: 10
        failureThreshold: 6
      lifecycle:
        preStop:
          # Until load balancers have noticed that the pod is going.
          exec:
            command: ["sleep", "5"]
      securityContext:
        {{- include "waymark.containerSecurityContext" . | nindent 8 }}
      {{- with .Values.resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        {{- include "waymark.configMounts" . | nindent 8 }}
        - name: data
          mountPath: /var/lib/waymark
        - name: tmp
          mountPath: /tmp
  volumes:
    {{- include "waymark.configVolumes" . | nindent 4 }}
    - name: tmp
      emptyDir: {}
    {{- if .Values.postgresql.enabled }}
    - name: data
      emptyDir: {}
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
