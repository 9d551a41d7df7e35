import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "@effect/vitest"
import { context, trace } from "@opentelemetry/api"
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks"
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor
} from "@opentelemetry/sdk-trace-base"
import { freshPostgres } from "@parley/testkit/databases"
import { Effect } from "effect"
import type { Parley } from "../src/index.js"
import { CallersDatabase } from "./callersDatabase.js"
import { email, makeShop, sending, withParley } from "./shop.js"

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
const shop = provider.getTracer("shop")
const tracer = provider.getTracer("parley")

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()))
afterAll(() => context.disable())
beforeEach(() => exporter.reset())

const idOf = (span: ReadableSpan) => span.spanContext().traceId
const spansOf = (traceId: string) => exporter.getFinishedSpans().filter((span) => idOf(span) === traceId)
const namesOf = (traceId: string) => [...new Set(spansOf(traceId).map(({ name }) => name))]

/** Calls in a span of the shop. Returns its trace. */
const inCheckout = <A>(call: () => Promise<A>): Promise<{ readonly traceId: string; readonly result: A }> =>
  shop.startActiveSpan("checkout", async (span) => {
    const result = await call()
    span.end()
    return { traceId: span.spanContext().traceId, result }
  })

const withEndpoint = async (
  { admin }: Parley,
  applicationId: string,
  test: (received: ReadonlyArray<IncomingHttpHeaders>) => Promise<void>
) => {
  const received: Array<IncomingHttpHeaders> = []
  const server = createServer((request, response) => {
    received.push(request.headers)
    response.end()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  await admin.request("POST", `/applications/${applicationId}/webhook-endpoints`, { url, events: ["message.sent"] })
  try {
    await test(received)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

const traced = { tracer, webhooks: { allow: ["127.0.0.0/8"], allowHttp: true } }

describe("spans of the caller's trace", () => {
  it("go from the send to the webhook, which has the trace in its header", () =>
    withParley(traced, async (parley) => {
      const { applicationId } = await makeShop(parley)
      await withEndpoint(parley, applicationId, async (received) => {
        const { traceId } = await inCheckout(() => parley.as(applicationId).messages.send(email("ada@acme.example")))
        await vi.waitFor(() =>
          expect(namesOf(traceId)).toEqual(
            expect.arrayContaining(["checkout", "http.server POST", "job sends", "provider.send", "webhook.post"])
          )
        )
        const { attributes, parentSpanContext } = spansOf(traceId).find(({ name }) => name === "http.server POST") ?? {}
        const checkout = spansOf(traceId).find(({ name }) => name === "checkout")
        expect(parentSpanContext?.spanId).toBe(checkout?.spanContext().spanId)
        expect(attributes).toMatchObject({ "url.path": "/api/v1/messages", "http.response.status_code": 202 })
        const posted = spansOf(traceId).find(({ name }) => name === "webhook.post")
        expect(posted?.attributes).toMatchObject({ status: 200 })
        expect(received[0]?.traceparent).toBe(`00-${traceId}-${posted?.spanContext().spanId}-01`)
      })
    }))

  it("are active in handlers of subscriptions", () =>
    withParley(traced, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const active: Array<string | undefined> = []
      await parley.on(
        "notes",
        "message.sent",
        async () => {
          await null
          active.push(trace.getActiveSpan()?.spanContext().traceId)
          shop.startSpan("note").end()
        },
        { application: applicationId }
      )
      const { traceId } = await inCheckout(() => parley.as(applicationId).messages.send(email("ada@acme.example")))
      await vi.waitFor(() => expect(active).toEqual([traceId]))
      const note = spansOf(traceId).find(({ name }) => name === "note")
      await vi.waitFor(() => expect(namesOf(traceId)).toContain("job subscriptions"))
      const handling = spansOf(traceId).map((span) => span.spanContext().spanId)
      expect(handling).toContain(note?.parentSpanContext?.spanId)
    }))

  it("join the trace of a request's header, unless the caller has a span of its own", () =>
    withParley(traced, async (parley) => {
      const { apiKey } = await makeShop(parley)
      const newTrace = () => randomBytes(16).toString("hex")
      const request = (traceId: string) => {
        const sent = sending(apiKey, "ada@acme.example")
        sent.headers.set("traceparent", `00-${traceId}-${randomBytes(8).toString("hex")}-01`)
        return parley.fetch(sent)
      }
      const traceId = newTrace()
      await request(traceId)
      expect(namesOf(traceId)).toContain("http.server POST")
      const other = newTrace()
      const own = await inCheckout(() => request(other))
      expect(namesOf(other)).toEqual([])
      expect(namesOf(own.traceId)).toContain("http.server POST")
    }))

  it("are not recorded for a trace that is not sampled", () =>
    withParley(traced, async (parley) => {
      const { applicationId } = await makeShop(parley)
      exporter.reset()
      const unsampled = {
        traceId: randomBytes(16).toString("hex"),
        spanId: randomBytes(8).toString("hex"),
        traceFlags: 0
      }
      await withEndpoint(parley, applicationId, async (received) => {
        await context.with(trace.setSpanContext(context.active(), unsampled), () =>
          parley.as(applicationId).messages.send(email("ada@acme.example"))
        )
        await vi.waitFor(() => expect(received).toHaveLength(1))
        expect(received[0]?.traceparent).toMatch(new RegExp(`^00-${unsampled.traceId}-[0-9a-f]{16}-00$`))
      })
      expect(namesOf(unsampled.traceId)).toEqual([])
    }))

  it("name the error of a webhook that got no answer", () =>
    withParley(traced, async (parley) => {
      const { applicationId } = await makeShop(parley)
      await withEndpoint(parley, applicationId, async () => {})
      const { traceId } = await inCheckout(() => parley.as(applicationId).messages.send(email("ada@acme.example")))
      await vi.waitFor(() => {
        const posted = spansOf(traceId).find(({ name }) => name === "webhook.post")
        expect(posted?.attributes.error).toMatch(/connection refused/i)
      })
    }))

  it("begin in a transaction of the caller, and go on in another process", () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(freshPostgres, (url) =>
          Effect.promise(() => {
            const shared = {
              tracer,
              storage: { url },
              secretKey: randomBytes(32).toString("base64"),
              blobs: { folder: tmpdir() }
            }
            return withParley({ ...shared, worker: false }, async (parley) => {
              const { applicationId } = await makeShop(parley)
              const database = await CallersDatabase.open(url)
              await database.run("BEGIN")
              const { traceId } = await inCheckout(() =>
                parley.enqueue(database.transaction, { application: applicationId, send: email("ada@acme.example") })
              )
              await database.run("COMMIT")
              await database.close()
              await withParley(shared, () =>
                vi.waitFor(() => expect(namesOf(traceId)).toContain("provider.send"), { timeout: 60_000 })
              )
            })
          })
        )
      )
    ))
})

describe("a tracer", () => {
  it("is not needed: then nothing is recorded", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const { traceId } = await inCheckout(() => parley.as(applicationId).messages.send(email("ada@acme.example")))
      expect(namesOf(traceId)).toEqual(["checkout"])
    }))

  it("must be one of OpenTelemetry", async () => {
    await expect(withParley({ tracer: {} as never }, async () => {})).rejects.toThrow(
      'tracer must be a tracer of OpenTelemetry, such as trace.getTracer("parley") of @opentelemetry/api'
    )
  })
})
