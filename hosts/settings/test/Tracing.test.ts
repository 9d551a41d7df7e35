import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { hostname } from "node:os"
import { describe, expect, it } from "@effect/vitest"
import { ChannelProviders, channelProviders, HttpSender, Storage } from "@parley/core"
import { TracedPorts } from "@parley/host/layers"
import { Effect, Layer, Logger } from "effect"
import * as Tracing from "../src/Tracing.js"

/** A collector that keeps what it is sent, by path. */
const collector = Effect.gen(function* () {
  const received: Array<{ readonly path: string; readonly body: string }> = []
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text
    })
    request.on("end", () => {
      received.push({ path: request.url ?? "", body })
      response.end("{}")
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
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
})

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

describe("tracing", () => {
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
        Effect.provide(Tracing.layer({ serviceName: "acme", tracesUrl: url })),
        Effect.provide(Logger.replace(Logger.defaultLogger, logger))
      )
      server.close().closeAllConnections()
      expect(warnings).toEqual(["traces and metrics are not exported to OTEL_EXPORTER_OTLP_ENDPOINT: it answered 401"])
    })
  )

  it.scopedLive("sends the spans of calls that leave the process to the collector", () =>
    Effect.gen(function* () {
      const { received, url } = yield* collector
      yield* post.pipe(
        Effect.provide(Layer.provide(TracedPorts.layer, ports)),
        Effect.provide(Tracing.layer({ serviceName: "acme", tracesUrl: url }))
      )
      const traces = received.filter(({ path }) => path === "/v1/traces")
      expect(traces).toHaveLength(1)
      expect(traces[0]?.body).toContain('"webhook.post"')
      expect(traces[0]?.body).toContain('"acme"')
    })
  )

  it.scopedLive("names the version and this process in the resource of all exports", () =>
    Effect.gen(function* () {
      const { received, url } = yield* collector
      yield* post.pipe(
        Effect.provide(Layer.provide(TracedPorts.layer, ports)),
        Effect.provide(Tracing.layer({ serviceName: "acme", tracesUrl: url }))
      )
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

  it.effect("is off where no collector is named", () =>
    Effect.gen(function* () {
      const span = yield* Effect.currentSpan.pipe(
        Effect.withSpan("anything"),
        Effect.provide(Tracing.layer({ serviceName: "acme", tracesUrl: null }))
      )
      expect(span.traceId).toBe("noop")
    })
  )
})
