import { mkdtemp, rm } from "node:fs/promises"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, vi } from "@effect/vitest"
import { Storage } from "@parley/core"
import { sqlite } from "@parley/testkit/databases"
import { Context, Effect, Layer } from "effect"
import { createParley, type LogEntry, type Parley } from "../src/index.js"
import { email, gate, makeShop, quiet, sending } from "./shop.js"

/** Waits until it accepts no requests of the network. */
const refusing = (parley: Parley) =>
  vi.waitFor(async () => expect(await parley.readiness()).toMatchObject({ ready: false }))

describe("a closed engine", () => {
  it("finishes responses in progress, closes their connections, and accepts no requests", async () => {
    const parley = await createParley(quiet)
    const { apiKey } = await makeShop(parley)
    const server = createServer(parley.listener)
    await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

    const body = JSON.stringify(email("a@acme.example"))
    const sent = request(`${url}/api/v1/messages`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${apiKey}`,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "idempotency-key": "last",
        expect: "100-continue"
      }
    })
    const answer = new Promise<{ status?: number | undefined; connection?: string | undefined }>((resume, fail) => {
      sent.on("error", fail).on("response", (response) => {
        resume({ status: response.statusCode, connection: response.headers.connection })
        response.resume()
      })
    })
    await new Promise<void>((resume) => {
      sent.on("continue", resume)
      sent.flushHeaders()
    })

    const closed = parley.close()
    const late = await fetch(`${url}/api/v1/messages/1`)
    expect(late.status).toBe(503)
    expect(late.headers.get("connection")).toBe("close")
    expect(await late.json()).toMatchObject({
      error: { code: "service_unavailable", request_id: late.headers.get("x-request-id") }
    })
    expect(await parley.readiness()).toMatchObject({ ready: false })

    sent.end(body)
    expect(await answer).toEqual({ status: 202, connection: "close" })
    await closed
    server.close()
  })

  it("finishes requests by fetch and in process", async () => {
    const parley = await createParley(quiet)
    const { apiKey } = await makeShop(parley)
    const fetched = parley.fetch(sending(apiKey, "a@acme.example"))
    const called = parley.client(apiKey).messages.send(email("b@acme.example"))
    const administered = parley.admin.request("GET", "/workspaces")
    await parley.close()
    const response = await fetched
    expect([response.status, response.headers.get("connection")]).toEqual([202, "close"])
    expect((await called).data.status).toBe("queued")
    expect(await administered).toMatchObject({ data: [{ name: "Acme" }] })
  })

  it("accepts calls of handlers in progress until these have ended", async () => {
    const parley = await createParley(quiet)
    const { apiKey, applicationId: application } = await makeShop(parley)
    const shop = parley.as(application, { maxRetries: 0 })
    const calls = [
      () => shop.messages.send(email("b@acme.example")),
      () => parley.client(apiKey, { maxRetries: 0 }).channels.list(),
      () => parley.admin.request("GET", "/workspaces")
    ]
    const begun = gate()
    const closing = gate()
    const handled: Array<PromiseSettledResult<unknown>["status"]> = []
    const handler = async () => {
      begun.open()
      await closing.opened
      for (const { status } of await Promise.allSettled(calls.map((call) => call()))) handled.push(status)
    }
    await parley.on("notes", "message.queued", handler, { application })
    await shop.messages.send(email("a@acme.example"))
    await begun.opened
    const closed = parley.close()
    await refusing(parley)
    expect((await parley.fetch(sending(apiKey, "c@acme.example"))).status).toBe(503)
    closing.open()
    await closed
    expect(handled).toEqual(["fulfilled", "fulfilled", "fulfilled"])
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "service_unavailable" })
  })

  it("accepts calls of the event of a loop", async () => {
    const parley = await createParley(quiet)
    const { applicationId: application } = await makeShop(parley)
    const shop = parley.as(application, { maxRetries: 0 })
    const begun = gate()
    const closing = gate()
    const loop = (async () => {
      for await (const _ of parley.events("notes", "message.queued", { application })) {
        begun.open()
        await closing.opened
        await shop.messages.send(email("b@acme.example"))
      }
    })()
    await vi.waitFor(async () => expect((await parley.admin.webhooks.list(application)).data).toHaveLength(1))
    await shop.messages.send(email("a@acme.example"))
    await begun.opened
    const closed = parley.close()
    await refusing(parley)
    closing.open()
    await Promise.all([loop, closed])
  })

  it("leaves an event whose handler fails meanwhile to another process, without an attempt", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parley-close-"))
    const options = { ...quiet, storage: { url: `sqlite:${join(folder, "parley.db")}` } }
    const parley = await createParley(options)
    const { applicationId: application } = await makeShop(parley)
    const begun = gate()
    const closing = gate()
    const handler = async () => {
      begun.open()
      await closing.opened
      throw new Error("the pool of the service is closed")
    }
    await parley.on("notes", "message.queued", handler, { application })
    await parley.as(application).messages.send(email("a@acme.example"))
    await begun.opened
    const closed = parley.close()
    closing.open()
    await closed
    const next = await createParley(options)
    const attempts = new Promise<number>((handled) => {
      void next.on("notes", "message.queued", (_, { attempt }) => handled(attempt), { application })
    })
    expect(await attempts).toBe(1)
    expect((await next.admin.webhooks.list(application)).data).toMatchObject([{ consecutive_failures: 0 }])
    await next.close()
    await rm(folder, { recursive: true })
  })

  it.concurrent("lets go of the database after its time, whatever is unfinished", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parley-close-"))
    const logged: Array<string> = []
    const options = {
      ...quiet,
      storage: { url: `sqlite:${join(folder, "parley.db")}` },
      logger: ({ message }: LogEntry) => void logged.push(message)
    }
    const parley = await createParley(options)
    const { apiKey, applicationId } = await makeShop(parley)
    const handling = new Promise<void>((begun) => {
      const handler = () => {
        begun()
        return new Promise(() => {})
      }
      void parley.on("notes", "*", handler, { application: applicationId })
    })
    let endBody = () => {}
    const body = new ReadableStream({
      start: (controller) => {
        endBody = () => controller.close()
      }
    })
    const init = { method: "POST", headers: sending(apiKey, "a@acme.example").headers, body, duplex: "half" } as const
    const unfinished = parley.fetch(new Request("http://acme.example/api/v1/messages", init))
    await parley.as(applicationId).messages.send(email("b@acme.example"))
    await handling
    await parley.close()
    expect(logged).toContainEqual(
      expect.stringMatching(/^Parley closes although the handler of the subscription notes has not ended\./)
    )
    const next = await createParley(options)
    expect(await next.readiness()).toEqual({ ready: true })
    await next.close()
    endBody()
    await unfinished
    await rm(folder, { recursive: true })
  }, 60_000)

  it.concurrent("lets go of a database that hangs", async () => {
    let answer = () => {}
    const answered = new Promise<void>((resume) => {
      answer = resume
    })
    let isClosed = false
    const hanging = Layer.map(sqlite, (context) => {
      const claimJobs = () =>
        Effect.uninterruptible(Effect.promise(() => answered.then(() => ({ jobs: [], nextDueAt: null }))))
      return Context.add(context, Storage, { ...Context.get(context, Storage), claimJobs })
    })
    const closes = Layer.scopedDiscard(
      Effect.addFinalizer(() =>
        Effect.sync(() => {
          isClosed = true
        })
      )
    )
    const parley = await createParley({
      ...quiet,
      storage: Layer.merge(hanging, closes),
      secretKey: Buffer.alloc(32).toString("base64"),
      logger: () => {}
    })
    await parley.close()
    expect(isClosed).toBe(true)
    answer()
  }, 60_000)

  it("can be closed again, and refuses later requests", async () => {
    const parley = await createParley(quiet)
    const { apiKey } = await makeShop(parley)
    expect(parley.close()).toBe(parley.close())
    await parley.close()
    await parley.close()
    expect((await parley.fetch(sending(apiKey, "a@acme.example"))).status).toBe(503)
    await expect(parley.admin.request("GET", "/workspaces")).rejects.toMatchObject({ code: "service_unavailable" })
  })

  it("refuses later calls at once, and says why", async () => {
    const parley = await createParley(quiet)
    const { apiKey, applicationId: application } = await makeShop(parley)
    const subscription = await parley.on("notes", "*", () => {}, { application })
    const shop = parley.as(application)
    await parley.close()
    const send = email("a@acme.example")
    const calls = [
      () => shop.messages.send(send, { idempotencyKey: "order 1" }),
      () => parley.as(application).channels.list(),
      () => parley.client(apiKey).messages.send(send),
      () => parley.admin.workspaces.list(),
      () => parley.setup({ workspace: "acme" }),
      () => parley.on("others", "*", () => {}, { application }),
      () => parley.enqueue({ query: async () => {} }, { application, send }),
      () => parley.enqueued(application, "01900000-0000-7000-8000-000000000000"),
      () => parley.metrics(),
      () => subscription.remove()
    ]
    // No retry: its pause would never end.
    vi.useFakeTimers({ toFake: ["setTimeout"] })
    try {
      for (const call of calls) {
        await expect(call()).rejects.toMatchObject({
          code: "service_unavailable",
          status: 503,
          message: expect.stringMatching(/^Parley is closed: /)
        })
      }
      await expect(calls[0]?.()).rejects.toMatchObject({ idempotencyKey: "order 1" })
    } finally {
      vi.useRealTimers()
    }
    await subscription.stop()
  })

  it("ends the waits of calls above a rate limit", async () => {
    const parley = await createParley(quiet)
    const { applicationId: application } = await makeShop(parley)
    await parley.admin.request("PATCH", `/applications/${application}`, { limits: { sends_per_minute: 1 } })
    const shop = parley.as(application, { rateLimited: true })
    await shop.messages.send(email("a@acme.example"))
    const waiting = shop.messages.send(email("b@acme.example")).catch((error: unknown) => error)
    // It is refused, and waits for the rest of the minute.
    await shop.channels.list()
    await parley.close()
    expect(await waiting).toMatchObject({ code: "rate_limited" })
  })
})
