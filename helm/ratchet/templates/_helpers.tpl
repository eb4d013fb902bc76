{{- define "ratchet.name" -}}
{{- default "ratchet-operator" .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "ratchet.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if eq .Release.Name "ratchet" -}}
{{- include "ratchet.name" . -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "ratchet.name" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "ratchet.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "ratchet.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "ratchet.selectorLabels" -}}
app.kubernetes.io/name: {{ include "ratchet.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: operator
{{- end -}}

{{- define "ratchet.labels" -}}
{{ include "ratchet.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* An image by digest where one is given, else by tag, from the registry of all images. Takes a list: root, image. */}}
{{- define "ratchet.image" -}}
{{- $root := index . 0 -}}
{{- $image := index . 1 -}}
{{- with $root.Values.global.imageRegistry }}{{ . | trimSuffix "/" }}/{{ end -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $image.repository $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $image.repository (default $root.Chart.AppVersion $image.tag) -}}
{{- end -}}
{{- end -}}

{{/* Removes the CEL rules from a schema, in place. API servers before 1.25 do not know them; there the operator checks alone. */}}
{{- define "ratchet.removeRules" -}}
{{- if kindIs "map" . -}}
{{- $_ := unset . "x-kubernetes-validations" -}}
{{- range $child := . -}}{{- include "ratchet.removeRules" $child -}}{{- end -}}
{{- else if kindIs "slice" . -}}
{{- range $child := . -}}{{- include "ratchet.removeRules" $child -}}{{- end -}}
{{- end -}}
{{- end -}}

{{/* What the operator may do in a namespace that it watches. */}}
{{- define "ratchet.namespacedRules" -}}
{{- $permissions := .Files.Get "files/permissions.yaml" | fromYaml -}}
{{- toYaml $permissions.namespaced }}
{{- if .Values.certificates.certManager }}
{{ toYaml $permissions.certManager }}
{{- end -}}
{{- end -}}

{{/* Namespaces that are watched, as a list in YAML; an empty one means all. */}}
{{- define "ratchet.watchedNamespaces" -}}
{{- if .Values.watch.allNamespaces -}}
{{- if .Values.watch.namespaces -}}
{{- fail "watch.allNamespaces is true and watch.namespaces lists some: set one of them" -}}
{{- end -}}
[]
{{- else -}}
{{- default (list .Release.Namespace) .Values.watch.namespaces | toYaml -}}
{{- end -}}
{{- end -}}

{{/* The pod's security context, without numbers where the platform chooses them. */}}
{{- define "ratchet.podSecurityContext" -}}
{{- $context := deepCopy .Values.podSecurityContext -}}
{{- if not .Values.fixedUser -}}
{{- $context = omit $context "runAsUser" "runAsGroup" "fsGroup" -}}
{{- end -}}
{{- toYaml $context -}}
{{- end -}}

{{/* Pull secrets of the operator, global ones first. */}}
{{- define "ratchet.imagePullSecrets" -}}
{{- concat .Values.global.imagePullSecrets .Values.imagePullSecrets | uniq | toYaml -}}
{{- end -}}

{{/* Names of the pull secrets of workers and stores, with commas. */}}
{{- define "ratchet.workerPullSecrets" -}}
{{- $names := list -}}
{{- range concat .Values.global.imagePullSecrets .Values.workers.imagePullSecrets -}}
{{- $names = append $names .name -}}
{{- end -}}
{{- $names | uniq | join "," -}}
{{- end -}}

{{/* Metadata of an object of the Prometheus operator. Takes a list: root, suffix of the name, further labels. */}}
{{- define "ratchet.monitorMetadata" -}}
{{- $root := index . 0 -}}
name: {{ include "ratchet.fullname" $root | trunc 55 | trimSuffix "-" }}{{ index . 1 }}
namespace: {{ $root.Release.Namespace }}
labels:
  {{- include "ratchet.labels" $root | nindent 2 }}
  {{- with index . 2 }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}
