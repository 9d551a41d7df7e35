import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import * as OtlpLogger from "@effect/opentelemetry/OtlpLogger"
import * as OtlpMetrics from "@effect/opentelemetry/OtlpMetrics"
import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization"
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer"
import { HttpClient } from "@effect/platform"
import { nodeHttpClient } from "@parley/provider-kit"
import { ConfigProvider, Duration, Effect, Layer, Redacted } from "effect"
import manifest from "../package.json" with { type: "json" }
import type { Settings } from "./Settings.js"

/**
 * Identifies this process among all that export: a restart is a new instance, because its counters begin at 0. Begins
 * as the process name in leases and logs.
 */
const instanceId = (): string => `${hostname()}/${process.pid}/${randomUUID()}`

/** Maximum time to read the body of a collector's answer, after its headers. */
const bodyTimeout = Duration.seconds(10)

/**
 * Warns of the first of consecutive exports that fail: the exporter drops their data, and logs that at `debug`. Reads
 * the bodies of answers, which the exporter does not: an unread one keeps its connection.
 */
const reporting = Layer.sync(HttpClient.HttpClient, () => {
  let isFailing = false
  const failed = (reason: string) => {
    if (isFailing) return Effect.void
    isFailing = true
    return Effect.logWarning(`traces and metrics are not exported to OTEL_EXPORTER_OTLP_ENDPOINT: ${reason}`)
  }
  return HttpClient.transform(nodeHttpClient, (sending) =>
    sending.pipe(
      Effect.tapError(({ message }) => failed(message)),
      Effect.tap(({ text }) => Effect.ignore(Effect.timeout(text, bodyTimeout))),
      Effect.tap(({ status }) => {
        if (status >= 300) return failed(`it answered ${status}`)
        isFailing = false
        return Effect.void
      })
    )
  )
})

type TracingSettings = Pick<Settings, "serviceName" | "tracesUrl" | "exportHeaders" | "exportName" | "resource">

/** The resource of all exports: what the environment says of it precedes what we do. */
const resourceOf = ({ exportName, resource, serviceName }: TracingSettings) => {
  const { "service.name": name, "service.version": version, ...attributes } = resource
  return {
    serviceName: exportName ?? name ?? serviceName,
    serviceVersion: version ?? manifest.version,
    attributes: { "service.instance.id": instanceId(), ...attributes }
  }
}

/**
 * Exports spans, logs and metrics by OTLP (JSON over HTTP) to the collector in `OTEL_EXPORTER_OTLP_ENDPOINT`. Tracing
 * is disabled without it.
 */
export const layer = (settings: TracingSettings): Layer.Layer<never> => {
  const { exportHeaders, tracesUrl } = settings
  if (tracesUrl === null) return Layer.setTracerEnabled(false)
  const resource = resourceOf(settings)
  const optionsOf = (kind: keyof typeof exportHeaders) => {
    const headers = exportHeaders[kind]
    return { url: `${tracesUrl}/v1/${kind}`, resource, headers: headers === null ? undefined : Redacted.value(headers) }
  }
  return Layer.mergeAll(
    OtlpLogger.layer(optionsOf("logs")),
    OtlpMetrics.layer(optionsOf("metrics")),
    OtlpTracer.layer(optionsOf("traces"))
  ).pipe(
    Layer.provide(OtlpSerialization.layerJson),
    Layer.provide(reporting),
    // The exporters would read OTEL_RESOURCE_ATTRIBUTES again, and name the service twice.
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map())))
  )
}
