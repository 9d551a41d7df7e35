import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import * as Otlp from "@effect/opentelemetry/Otlp"
import { FetchHttpClient } from "@effect/platform"
import { Layer } from "effect"
import manifest from "../package.json" with { type: "json" }
import type { Settings } from "./Settings.js"

/**
 * Identifies this process among all that export: a restart is a new instance, because its counters begin at 0. Begins
 * as the process name in leases and logs.
 */
const instanceId = (): string => `${hostname()}/${process.pid}/${randomUUID()}`

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
      }).pipe(Layer.provide(FetchHttpClient.layer))
