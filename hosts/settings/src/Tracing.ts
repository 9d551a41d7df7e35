import * as Otlp from "@effect/opentelemetry/Otlp"
import { FetchHttpClient } from "@effect/platform"
import { Layer } from "effect"
import type { Settings } from "./Settings.js"

/**
 * Exports spans, logs and metrics by OTLP (JSON over HTTP) to the collector in `OTEL_EXPORTER_OTLP_ENDPOINT`. Tracing
 * is disabled without it.
 */
export const layer = ({ serviceName, tracesUrl }: Pick<Settings, "serviceName" | "tracesUrl">): Layer.Layer<never> =>
  tracesUrl === null
    ? Layer.setTracerEnabled(false)
    : Otlp.layerJson({ baseUrl: tracesUrl, resource: { serviceName } }).pipe(Layer.provide(FetchHttpClient.layer))
