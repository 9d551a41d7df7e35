import { describe, expect, it, vi } from "@effect/vitest"
import { isParleyError } from "@parley/client"
import type { Parley } from "../src/index.js"
import { email, gate, makeShop, withParley } from "./shop.js"

/** The code, status and details of a failed call. */
const failure = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => null,
    (error: unknown) => error
  )
  if (!isParleyError(error)) throw new Error("the call did not fail with a ParleyError")
  const { code, details, status } = error
  return { code, details, status }
}

const limited = ({ admin }: Parley, applicationId: string) =>
  admin.request("PATCH", `/applications/${applicationId}`, { limits: { requests_per_minute: 3, sends_per_minute: 2 } })

describe("an application of the embedding process", () => {
  it("sends, reads and lists with its own scopes and allow-list, without a key", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const shop = parley.as(applicationId)
      const sent = await shop.messages.send(email("ada@acme.example"), { idempotencyKey: "order 1" })
      expect(sent.data.status).toBe("queued")
      expect(sent.requestId).toMatch(/^[0-9a-f-]{36}$/)
      expect((await shop.messages.get(sent.data.message_id)).data.body).toBe("Hello")
      expect((await shop.contacts.list({ search: "ada@" })).data).toHaveLength(1)
      expect(await failure(shop.templates.list())).toMatchObject({
        code: "forbidden",
        status: 403,
        details: { required_scope: "templates.read" }
      })
    }))

  it("replays a repeated key, and refuses it with another message", () =>
    withParley({}, async (parley) => {
      const shop = parley.as((await makeShop(parley)).applicationId)
      const first = await shop.messages.send(email("ada@acme.example"), { idempotencyKey: "order 1" })
      const again = await shop.messages.send(email("ada@acme.example"), { idempotencyKey: "order 1" })
      expect([again.replayed, again.data]).toEqual([true, first.data])
      expect(await failure(shop.messages.send(email("eve@acme.example"), { idempotencyKey: "order 1" }))).toMatchObject(
        {
          code: "idempotency_conflict"
        }
      )
    }))

  it("refuses unknown options, and what is no id", () =>
    withParley({}, async (parley) => {
      const as = parley.as as (...given: ReadonlyArray<unknown>) => unknown
      const client = parley.client as (...given: ReadonlyArray<unknown>) => unknown
      expect(() => as("shop", { ratelimited: true })).toThrow(
        new TypeError("parley.as: ratelimited is not an option: write rateLimited")
      )
      expect(() => as("shop", { apiKey: "key" })).toThrow(
        new TypeError("parley.as: apiKey is not an option: the options are maxRetries, rateLimited, timeoutMs")
      )
      for (const id of [undefined, { id: "shop" }]) {
        expect(() => as(id)).toThrow(new TypeError("parley.as: the first argument must be the id of an application"))
      }
      expect(() => client("key", { baseUrl: "http://acme.example" })).toThrow(
        new TypeError("parley.client: baseUrl is not an option: the options are maxRetries, timeoutMs, userAgent")
      )
      expect(() => client("key", null)).toThrow(/^parley\.client: the options must be an object with maxRetries, /)
    }))

  it("has no rate limits, unless it asks for those of the application", () =>
    withParley({}, async (parley) => {
      const { apiKey, applicationId } = await makeShop(parley)
      await limited(parley, applicationId)
      const shop = parley.as(applicationId)
      for (const number of [1, 2, 3, 4]) {
        const { rateLimit } = await shop.messages.send(email(`ada${number}@acme.example`))
        expect(rateLimit).toBeNull()
      }
      const within = parley.as(applicationId, { rateLimited: true, maxRetries: 0 })
      expect((await within.messages.send(email("a@acme.example"))).rateLimit).toEqual({ limit: 2, remaining: 1 })
      await within.messages.send(email("b@acme.example"))
      expect(await failure(within.messages.send(email("c@acme.example")))).toMatchObject({ code: "rate_limited" })
      expect(await failure(parley.client(apiKey, { maxRetries: 0 }).channels.list())).toMatchObject({
        code: "rate_limited"
      })
    }))

  it("fails with the codes of the interface", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const shop = parley.as(applicationId)
      expect(await failure(shop.messages.send({ ...email("nobody"), channel: "fax" }))).toMatchObject({
        code: "validation_failed",
        status: 422,
        details: { channel: [expect.stringContaining("must be one of")] }
      })
      for (const unknown of ["01900000-0000-7000-8000-000000000000", "shop"]) {
        expect(await failure(parley.as(unknown).channels.list())).toMatchObject({ code: "not_found", status: 404 })
      }
      await parley.admin.request("PATCH", `/applications/${applicationId}`, { status: "suspended" })
      expect(await failure(shop.channels.list())).toMatchObject({ code: "account_suspended" })
    }))

  it("is refused after the engine was closed", async () => {
    let shop: ReturnType<Parley["as"]> | undefined
    await withParley({ mountPath: "/messaging" }, async (parley) => {
      shop = parley.as((await makeShop(parley)).applicationId, { maxRetries: 0 })
      expect((await shop.channels.list()).data).toHaveLength(1)
    })
    expect(await failure((shop as ReturnType<Parley["as"]>).channels.list())).toMatchObject({
      code: "service_unavailable"
    })
  })

  it("waits no longer than its signal and timeout, while its write goes on", async () => {
    const answered = gate()
    const entitlements = async () => {
      await answered.opened
      return undefined
    }
    await withParley({ entitlements }, async (parley) => {
      const shop = parley.as((await makeShop(parley)).applicationId, { maxRetries: 0 })
      const reason = new Error("the customer left")
      const aborted = shop.messages.send(email("ada@acme.example"), { signal: AbortSignal.abort(reason) })
      await expect(aborted).rejects.toBe(reason)
      const controller = new AbortController()
      const left = shop.messages.send(email("ada@acme.example"), { signal: controller.signal, idempotencyKey: "1" })
      setImmediate(() => controller.abort(reason))
      await expect(left).rejects.toBe(reason)
      expect(await failure(shop.messages.send(email("eve@acme.example"), { timeoutMs: 20 }))).toMatchObject({
        code: "timeout"
      })
      answered.open()
      await vi.waitFor(async () => {
        const again = await shop.messages.send(email("ada@acme.example"), { idempotencyKey: "1" })
        expect(again.replayed).toBe(true)
      })
    })
  })

  it("is nothing that a request can pretend to be", () =>
    withParley({}, async (parley) => {
      const { applicationId } = await makeShop(parley)
      const headers = { authorization: "Bearer in-process", application: applicationId }
      const answer = await parley.fetch(new Request("http://localhost/api/v1/channels", { headers }))
      expect(answer.status).toBe(401)
    }))
})
