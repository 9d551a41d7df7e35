import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import * as Otlp from "@effect/opentelemetry/Otlp"
import { HttpClient } from "@effect/platform"
import { nodeHttpClient } from "@parley/provider-kit"
import { Duration, Effect, Layer, Redacted } from "effect"
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

/**
 * Exports spans, logs and metrics by OTLP (JSON over HTTP) to the collector in `OTEL_EXPORTER_OTLP_ENDPOINT`. Tracing
 * is disabled without it.
 */
export const layer = ({
  serviceName,
  tracesHeaders,
  tracesUrl
}: Pick<Settings, "serviceName" | "tracesHeaders" | "tracesUrl">): Layer.Layer<never> =>
  tracesUrl === null
    ? Layer.setTracerEnabled(false)
    : Otlp.layerJson({
        baseUrl: tracesUrl,
        headers: Redacted.value(tracesHeaders),
        resource: {
          serviceName,
          serviceVersion: manifest.version,
          attributes: { "service.instance.id": instanceId() }
        }
      }).pipe(Layer.provide(reporting))
