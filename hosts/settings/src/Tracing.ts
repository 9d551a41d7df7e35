import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import * as Otlp from "@effect/opentelemetry/Otlp"
import { FetchHttpClient, HttpClient } from "@effect/platform"
import { Effect, Layer } from "effect"
import manifest from "../package.json" with { type: "json" }
import type { Settings } from "./Settings.js"

/**
 * Identifies this process among all that export: a restart is a new instance, because its counters begin at 0. Begins
 * as the process name in leases and logs.
 */
const instanceId = (): string => `${hostname()}/${process.pid}/${randomUUID()}`

/** Warns of the first of consecutive exports that fail: the exporter drops their data, and logs that at `debug`. */
const reporting = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, (client) => {
    let isFailing = false
    const failed = (reason: string) => {
      if (isFailing) return Effect.void
      isFailing = true
      return Effect.logWarning(`traces and metrics are not exported to OTEL_EXPORTER_OTLP_ENDPOINT: ${reason}`)
    }
    return HttpClient.transform(client, (sending) =>
      sending.pipe(
        Effect.tapError(({ message }) => failed(message)),
        Effect.tap(({ status }) => {
          if (status >= 300) return failed(`it answered ${status}`)
          isFailing = false
          return Effect.void
        })
      )
    )
  })
)

/**
 * Exports spans, logs and metrics by OTLP (JSON over HTTP) to the collector in `OTEL_EXPORTER_OTLP_ENDPOINT`. Tracing
 * is disabled without it.
 */
export const layer = ({ serviceName, tracesUrl }: Pick<Settings, "serviceName" | "tracesUrl">): Layer.Layer<never> =>
  tracesUrl === null
    ? Layer.setTracerEnabled(false)
    : Otlp.layerJson({
        baseUrl: tracesUrl,
        resource: {
          serviceName,
          serviceVersion: manifest.version,
          attributes: { "service.instance.id": instanceId() }
        }
      }).pipe(Layer.provide(reporting), Layer.provide(FetchHttpClient.layer))
