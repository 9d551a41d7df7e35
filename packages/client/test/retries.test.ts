import { getEventListeners } from "node:events"
import * as fc from "effect/FastCheck"
import { expect, it, vi } from "vitest"
import { makeClient } from "../src/createClient.js"
import { ParleyError } from "../src/index.js"
import { retryDelay } from "../src/transport/retryDelay.js"
import { failure, ok, type Reply, refusal, type Step, scripted } from "./scripted.js"

const text = { channel: "email", to: "ada@example.com", type: "text", message: { body: "Hello" } } as const
const reason = new Error("no longer wanted")
const pauses = (seen: ReadonlyArray<{ readonly at: number }>) =>
  seen.slice(1).map(({ at }, index) => at - (seen[index]?.at ?? 0))

it("waits as long as a 429 asks", async () => {
  const { client, seen } = scripted([refusal(429, "rate_limited", { "retry-after": "7" }), ok])
  expect((await client.contacts.get("1")).data).toEqual({ id: "1" })
  expect(pauses(seen)).toEqual([7_000])
})

it("accepts a date in Retry-After", async () => {
  const later = new Date(1_780_000_000_000 + 9_000).toUTCString()
  const { client, seen } = scripted([{ status: 503, headers: { "retry-after": later }, body: "down" }, ok])
  await client.contacts.get("1")
  expect(pauses(seen)).toEqual([9_000])
})

it("fails at once if Retry-After is more than two minutes", async () => {
  const { client, seen } = scripted([refusal(429, "rate_limited", { "retry-after": "121" }), ok])
  const error = await failure(client.contacts.get("1"))
  expect([error.code, error.retryAfter, seen.length]).toEqual(["rate_limited", 121, 1])
})

const passing: ReadonlyArray<readonly [name: string, step: Step]> = [
  ["500", refusal(500, "internal_error")],
  ["502", refusal(502, "provider_error")],
  ["503", refusal(503, "service_unavailable")],
  ["a gateway's 502", { status: 502, body: "<html>" }],
  ["a gateway's 504", { status: 504, body: "" }],
  ["a failing network", new TypeError("fetch failed")]
]
it.each(passing)("retries after %s, with growing delays and the same key and body", async (_, step) => {
  const { client, seen } = scripted([step, step, step, ok])
  await client.messages.send(text)
  expect(pauses(seen)).toEqual([375, 750, 1_500])
  expect(new Set(seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(1)
  expect(seen.map(({ body }) => body)).toEqual([text, text, text, text])
})

it.each([
  [400, "bad_request"],
  [401, "unauthenticated"],
  [402, "limit_reached"],
  [403, "forbidden"],
  [404, "not_found"],
  [405, "method_not_allowed"],
  [409, "idempotency_conflict"],
  [410, "invitation_expired"],
  [413, "payload_too_large"],
  [422, "validation_failed"],
  [423, "workspace_suspended"]
])("does not retry %i", async (status, code) => {
  const { client, seen } = scripted([refusal(status, code), ok])
  const error = await failure(client.messages.send(text))
  expect([error.status, error.code, seen.length]).toEqual([status, code, 1])
})

it("retries while the first request with its key is still running, and not after another conflict of keys", async () => {
  const conflict = (reason: string): Step => ({
    status: 409,
    body: JSON.stringify({
      error: { code: "idempotency_conflict", message: "", details: { reason }, request_id: "req_1" }
    })
  })
  const running = conflict("still_running")
  const { client, seen } = scripted([new TypeError("fetch failed"), ...new Array<Step>(10).fill(running), ok])
  await client.messages.send(text)
  expect(seen).toHaveLength(12)
  expect(new Set(seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(1)
  const forEver = scripted([running])
  expect((await failure(forEver.client.messages.send(text))).code).toBe("idempotency_conflict")
  expect(pauses(forEver.seen).reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan(100_000)
  const once = scripted([running], { maxRetries: 0 })
  expect((await failure(once.client.messages.send(text))).code).toBe("idempotency_conflict")
  expect(once.seen).toHaveLength(1)
  const other = scripted([conflict("different_request"), ok])
  expect((await failure(other.client.messages.send(text))).code).toBe("idempotency_conflict")
  expect(other.seen).toHaveLength(1)
})

it("fails with the last error when the retries are used up", async () => {
  const steps = [refusal(500, "internal_error"), refusal(503, "service_unavailable")]
  const { client, seen } = scripted(steps, { maxRetries: 2 })
  expect((await failure(client.contacts.get("1"))).code).toBe("service_unavailable")
  expect(seen).toHaveLength(3)
  const once = scripted(steps, { maxRetries: 0 })
  expect((await failure(once.client.contacts.get("1"))).code).toBe("internal_error")
  expect(once.seen).toHaveLength(1)
})

it("waits for no retry once the service shuts down, and fails with the last error", async () => {
  const shutdown = new AbortController()
  const limited = refusal(429, "rate_limited", { "retry-after": "60" })
  const abort = (): Reply => {
    shutdown.abort()
    return limited
  }
  const { client, clock, seen } = scripted([limited, abort], { shutdownSignal: shutdown.signal })
  const begun = clock.now
  expect((await failure(client.messages.send(text))).code).toBe("rate_limited")
  expect((await failure(client.messages.send(text))).code).toBe("rate_limited")
  expect([seen.length, clock.now - begun]).toEqual([3, 60_000])
})

it("times out a slow attempt and retries", async () => {
  const { client, seen } = scripted(["silence", ok], { timeoutMs: 4_000 })
  await client.contacts.get("1")
  expect(pauses(seen)).toEqual([4_375])
  const never = scripted(["silence"], { timeoutMs: 4_000, maxRetries: 1 })
  const error = await failure(never.client.contacts.get("1", { timeoutMs: 10 }))
  expect([error.code, error.status, error.message]).toEqual(["timeout", null, "No answer within 10 ms."])
  expect(pauses(never.seen)).toEqual([385])
})

it("accepts an infinite timeout, but not zero", async () => {
  const { client, seen } = scripted(["silence", ok], { timeoutMs: 1 })
  const controller = new AbortController()
  const call = failure(client.contacts.get("1", { timeoutMs: Number.POSITIVE_INFINITY, signal: controller.signal }))
  setImmediate(() => controller.abort(reason))
  expect(await call).toBe(reason)
  for (const timeoutMs of [0, -1, Number.NaN]) {
    expect(await failure(client.contacts.get("1", { timeoutMs }))).toBeInstanceOf(TypeError)
  }
  expect(seen).toHaveLength(1)
})

it("keeps the network error as cause, and the key for a later retry", async () => {
  const cause = new TypeError("fetch failed")
  const { client } = scripted([cause], { maxRetries: 1 })
  const error = await failure(client.messages.send(text, { idempotencyKey: "order-1" }))
  expect(error).toBeInstanceOf(ParleyError)
  expect([error.code, error.status, error.cause, error.idempotencyKey]).toEqual([
    "network_error",
    null,
    cause,
    "order-1"
  ])
})

it("fails with the signal's reason if already aborted", async () => {
  const { client, seen } = scripted([ok])
  expect(await failure(client.contacts.get("1", { signal: AbortSignal.abort(reason) }))).toBe(reason)
  expect(seen).toEqual([])
})

it("fails with the signal's reason while waiting for a response", async () => {
  const controller = new AbortController()
  const { client, seen, waiting } = scripted(["silence"])
  const call = failure(client.contacts.get("1", { signal: controller.signal }))
  setImmediate(() => controller.abort(reason))
  expect(await call).toBe(reason)
  expect([seen.length, waiting()]).toEqual([1, 0])
})

it("fails with the signal's reason during a retry delay, and leaves no timer", async () => {
  const controller = new AbortController()
  const { client, seen, waiting } = scripted([
    () => {
      queueMicrotask(() => controller.abort(reason))
      return refusal(503, "service_unavailable", { "retry-after": "60" })
    }
  ])
  expect(await failure(client.contacts.get("1", { signal: controller.signal }))).toBe(reason)
  expect([seen.length, waiting()]).toEqual([1, 0])
})

it("leaves no timer and no abort listener after a response", async () => {
  const { signal } = new AbortController()
  const { client, waiting } = scripted([refusal(500, "internal_error"), ok])
  await client.contacts.get("1", { signal })
  expect([waiting(), getEventListeners(signal, "abort")]).toEqual([0, []])
})

it("backs off exponentially with jitter, at most 8 s", () => {
  const error = new ParleyError({ code: "service_unavailable", message: "", status: 503 })
  const unit = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
  fc.assert(
    fc.property(fc.nat(60), unit, (retries, random) => {
      const ceiling = Math.min(500 * 2 ** retries, 8_000)
      const delay = retryDelay(error, retries, random) ?? Number.NaN
      expect(delay).toBeGreaterThanOrEqual(ceiling / 2)
      expect(delay).toBeLessThanOrEqual(ceiling)
    })
  )
  expect(retryDelay(error, 0, 0)).not.toBe(retryDelay(error, 0, 0.9))
})

it("aborts a signal that is first read after the timeout", async () => {
  const after = (_ms: number, run: () => void) => {
    run()
    return () => {}
  }
  const timing = { now: () => 0, random: () => 0, after }
  const read: Array<boolean | undefined> = []
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    read.push(init?.signal?.aborted)
    throw new Error("aborted")
  }
  const client = makeClient({ baseUrl: "https://parley.test", apiKey: "key" }, { fetch, maxRetries: 0 }, timing)
  expect(await failure(client.contacts.get("1"))).toMatchObject({ code: "timeout" })
  expect(read).toEqual([true])
})

it("does not wait longer for a fetch that does not read its signal", async () => {
  const silent = scripted([ok], { fetch: () => new Promise<never>(() => {}), maxRetries: 0 })
  expect(await failure(silent.client.messages.send(text))).toMatchObject({ code: "timeout" })
  const controller = new AbortController()
  const fetch = () => {
    queueMicrotask(() => controller.abort(reason))
    return new Promise<never>(() => {})
  }
  const { client, waiting } = scripted([ok], { fetch, maxRetries: 0 })
  expect(await failure(client.messages.send(text, { signal: controller.signal }))).toBe(reason)
  expect([waiting(), getEventListeners(controller.signal, "abort")]).toEqual([0, []])
})

it("makes no signal for a fetch that does not read it", async () => {
  const { client } = scripted([ok], { fetch: async () => new Response(JSON.stringify(ok.body)) })
  const made = vi.spyOn(globalThis, "AbortController")
  try {
    await client.contacts.get("1")
    expect(made).not.toHaveBeenCalled()
  } finally {
    made.mockRestore()
  }
})
