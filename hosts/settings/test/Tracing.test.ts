import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { hostname } from "node:os"
import { describe, expect, it } from "@effect/vitest"
import { ChannelProviders, channelProviders, HttpSender, Storage } from "@parley/core"
import { TracedPorts } from "@parley/host/layers"
import { Effect, Layer, Logger } from "effect"
import { fromEnvironment } from "../src/Settings.js"
import * as Tracing from "../src/Tracing.js"

/** A collector that keeps what it is sent, by path, and answers this body. */
const collectorThatAnswers = Effect.fnUntraced(function* (answer: string) {
  const received: Array<{ readonly path: string; readonly body: string; readonly headers: IncomingHttpHeaders }> = []
  const taken: Array<string> = []
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text
    })
    request.on("end", () => {
      const path = request.url ?? ""
      received.push({ path, body, headers: request.headers })
      response.end(answer, () => taken.push(path))
    })
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  /** `taken`: the paths of the exports whose answers were taken whole. */
  return { received, taken, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
})
const collector = collectorThatAnswers("{}")

const ports = Layer.mergeAll(
  Layer.succeed(Storage, {} as Storage),
  Layer.succeed(ChannelProviders, channelProviders([])),
  Layer.succeed(HttpSender, {
    post: () => Effect.succeed({ _tag: "Answered" as const, status: 204, body: "" }),
    refusal: () => null
  })
)
const post = Effect.flatMap(HttpSender, (sender) =>
  sender.post({
    url: "https://customer.example/hook",
    headers: { "x-webhook-id": "event-1" },
    body: "{}",
    timeoutMs: 1
  })
)

const to = (tracesUrl: string | null) => ({
  serviceName: "acme",
  tracesUrl,
  exportHeaders: { traces: null, metrics: null, logs: null },
  exportName: null,
  resource: {}
})

/** The attributes of the resource in an export of traces. */
const attributesIn = (body: string): { readonly [key: string]: ReadonlyArray<string> } => {
  const attributes: ReadonlyArray<{ readonly key: string; readonly value: { readonly stringValue: string } }> =
    JSON.parse(body).resourceSpans[0].resource.attributes
  return Object.fromEntries(
    attributes.map(({ key }) => [
      key,
      attributes.filter((attribute) => attribute.key === key).map(({ value }) => value.stringValue)
    ])
  )
}

describe("tracing", () => {
  it.scopedLive(
    "takes headers, the service's name and attributes of the resource from the variables of OpenTelemetry",
    () =>
      Effect.gen(function* () {
        const { received, url } = yield* collector
        const settings = yield* fromEnvironment({
          OTEL_EXPORTER_OTLP_ENDPOINT: url,
          OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Bearer%20s3cret==, x-team = messages",
          OTEL_EXPORTER_OTLP_METRICS_HEADERS: "x-only=metrics",
          OTEL_SERVICE_NAME: "chat",
          OTEL_RESOURCE_ATTRIBUTES: "service.name=other,deployment.environment=a%2Cb,service.version=9"
        })
        yield* Effect.log("one line").pipe(
          Effect.zipRight(post),
          Effect.provide(Layer.provide(TracedPorts.layer, ports)),
          Effect.provide(Tracing.layer(settings))
        )
        const headersOf = (kind: string) => received.find(({ path }) => path === `/v1/${kind}`)?.headers
        for (const kind of ["traces", "logs"]) {
          expect(headersOf(kind)).toMatchObject({ authorization: "Bearer s3cret==", "x-team": "messages" })
          expect(headersOf(kind)).not.toHaveProperty("x-only")
        }
        expect(headersOf("metrics")).toMatchObject({ "x-only": "metrics" })
        expect(headersOf("metrics")).not.toHaveProperty("authorization")
        const body = received.find(({ path }) => path === "/v1/traces")?.body ?? ""
        expect(attributesIn(body)).toMatchObject({
          "service.name": ["chat"],
          "service.version": ["9"],
          "deployment.environment": ["a,b"],
          "service.instance.id": [expect.stringContaining(hostname())]
        })
      })
  )

  it.scopedLive("names the service as the resource does, and lets it name the instance", () =>
    Effect.gen(function* () {
      const { received, url } = yield* collector
      const settings = yield* fromEnvironment({
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        PARLEY_SERVICE_NAME: "acme",
        OTEL_RESOURCE_ATTRIBUTES: "service.name=chat, service.instance.id=pod-7"
      })
      yield* post.pipe(Effect.provide(Layer.provide(TracedPorts.layer, ports)), Effect.provide(Tracing.layer(settings)))
      const body = received.find(({ path }) => path === "/v1/traces")?.body ?? ""
      expect(attributesIn(body)).toMatchObject({ "service.name": ["chat"], "service.instance.id": ["pod-7"] })
    })
  )

  it.scopedLive("warns once when the collector refuses what it is sent", () =>
    Effect.gen(function* () {
      const warnings: Array<string> = []
      const logger = Logger.make(({ logLevel, message }) => {
        if (logLevel._tag === "Warning") warnings.push(String(message))
      })
      const server = createServer((_, response) => response.writeHead(401).end())
      yield* Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      yield* Effect.void.pipe(
        Effect.withSpan("one"),
        Effect.provide(Tracing.layer(to(url))),
        Effect.provide(Logger.replace(Logger.defaultLogger, logger))
      )
      server.close().closeAllConnections()
      expect(warnings).toEqual(["traces and metrics are not exported to OTEL_EXPORTER_OTLP_ENDPOINT: it answered 401"])
    })
  )

  it.scopedLive("sends the spans of calls that leave the process to the collector", () =>
    Effect.gen(function* () {
      const { received, url } = yield* collector
      yield* post.pipe(Effect.provide(Layer.provide(TracedPorts.layer, ports)), Effect.provide(Tracing.layer(to(url))))
      const traces = received.filter(({ path }) => path === "/v1/traces")
      expect(traces).toHaveLength(1)
      expect(traces[0]?.body).toContain('"webhook.post"')
      expect(traces[0]?.body).toContain('"acme"')
    })
  )

  it.scopedLive("names the version and this process in the resource of all exports", () =>
    Effect.gen(function* () {
      const { received, url } = yield* collector
      yield* post.pipe(Effect.provide(Layer.provide(TracedPorts.layer, ports)), Effect.provide(Tracing.layer(to(url))))
      const instances = received
        .filter(({ path }) => path === "/v1/traces")
        .map(({ body }) => {
          const { attributes } = JSON.parse(body).resourceSpans[0].resource
          const attributeOf = (key: string) =>
            attributes.find((attribute: { readonly key: string }) => attribute.key === key)?.value.stringValue
          expect(attributeOf("service.version")).toMatch(/^\d+\.\d+\.\d+/)
          return attributeOf("service.instance.id")
        })
      expect(instances).toHaveLength(1)
      expect(instances[0].startsWith(`${hostname()}/${process.pid}/`)).toBe(true)
    })
  )

  it.scopedLive("takes the answers of a collector whole", () =>
    Effect.gen(function* () {
      // More than the buffers of a connection hold.
      const { received, taken, url } = yield* collectorThatAnswers("a".repeat(16 << 20))
      yield* post.pipe(Effect.provide(Layer.provide(TracedPorts.layer, ports)), Effect.provide(Tracing.layer(to(url))))
      expect(received.length).toBeGreaterThan(0)
      while (taken.length < received.length) yield* Effect.sleep(1)
    })
  )

  it.effect("is off where no collector is named", () =>
    Effect.gen(function* () {
      const span = yield* Effect.currentSpan.pipe(Effect.withSpan("anything"), Effect.provide(Tracing.layer(to(null))))
      expect(span.traceId).toBe("noop")
    })
  )
})
