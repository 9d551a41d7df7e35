import { HttpClient, HttpClientError, HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { rejection, sendOutcome, type VendorError, vendorHttp } from "../src/index.js"

/** The outcome of a send that a vendor answers so. */
const outcomeOf = (
  answer: (request: HttpClientRequest.HttpClientRequest) => ReturnType<HttpClient.HttpClient["execute"]>
) => {
  const { json } = vendorHttp<VendorError>({
    httpClient: HttpClient.make(answer),
    readError: (json) => (json as { readonly error?: VendorError } | null)?.error ?? null
  })
  return sendOutcome(json(HttpClientRequest.post("https://vendor.example/messages")), {
    messageId: (answer) => Option.fromNullable((answer as { readonly id?: string }).id),
    meaningOf: ({ providerCode }) =>
      providerCode === "slow"
        ? { kind: "throttled", scope: "recipient" }
        : providerCode === "gone"
          ? { kind: "moved", handle: "42" }
          : providerCode === "broken"
            ? { kind: "transient" }
            : rejection("recipient", "Our own words.", { optOut: "all" }),
    credentials: { token: "s3cret" }
  })
}

const answering = (status: number, body: string | object, headers: { readonly [name: string]: string } = {}) =>
  outcomeOf((request) =>
    Effect.succeed(
      HttpClientResponse.fromWeb(
        request,
        new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers })
      )
    )
  )

const refusing = (providerCode: string, message = "", status = 400) =>
  answering(status, { error: { providerCode, message } })

const failing = (cause: unknown) =>
  outcomeOf((request) => Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport", cause })))

describe("the outcome of a send", () => {
  it.effect("is accepted under the vendor's id", () =>
    Effect.gen(function* () {
      expect(yield* answering(200, { id: "m1" })).toMatchObject({ _tag: "Accepted", providerMessageId: "m1" })
    })
  )

  it.effect("is transient only where the message certainly did not go out", () =>
    Effect.gen(function* () {
      expect(yield* failing({ code: "ECONNREFUSED", syscall: "connect" })).toMatchObject({ _tag: "Transient" })
      expect(yield* answering(400, "a proxy's page")).toMatchObject({ _tag: "Transient", reason: "status 400" })
      expect(yield* refusing("broken")).toMatchObject({ _tag: "Transient", reason: "status 400, error broken" })
    })
  )

  it.effect("is unknown where the message may have gone out", () =>
    Effect.gen(function* () {
      expect(yield* failing({ code: "ECONNRESET" })).toMatchObject({ _tag: "Unknown" })
      expect(yield* answering(200, "no JSON")).toMatchObject({
        _tag: "Unknown",
        reason: "an answer that cannot be read"
      })
      expect(yield* answering(200, {})).toMatchObject({ _tag: "Unknown", reason: "an answer without a message id" })
      expect(yield* answering(502, "a proxy's page")).toMatchObject({ _tag: "Unknown", reason: "status 502" })
      expect(yield* refusing("broken", "", 503)).toMatchObject({ _tag: "Unknown", reason: "status 503, error broken" })
    })
  )

  it.effect("is throttled for as long as the answer says", () =>
    Effect.gen(function* () {
      const retryAfter = { "retry-after": "7" }
      expect(yield* answering(429, "", retryAfter)).toEqual({ _tag: "Throttled", retryAfterMs: 7_000 })
      const slow = { error: { providerCode: "slow", message: "" } }
      const throttled = { _tag: "Throttled", scope: "recipient" }
      expect(yield* answering(400, slow, retryAfter)).toEqual({ ...throttled, retryAfterMs: 7_000 })
      expect(yield* answering(400, slow)).toEqual({ ...throttled, retryAfterMs: null })
      const own = { error: { ...slow.error, retryAfterMs: 90_000 } }
      expect(yield* answering(400, own, retryAfter)).toEqual({ ...throttled, retryAfterMs: 90_000 })
    })
  )

  it.effect("is moved to the handle that the vendor names", () =>
    Effect.gen(function* () {
      expect(yield* refusing("gone")).toEqual({ _tag: "Moved", handle: "42" })
    })
  )

  it.effect("is rejected with the vendor's words, without secrets, at most 1,000 characters of them", () =>
    Effect.gen(function* () {
      const rejected = {
        _tag: "Rejected",
        scope: "recipient",
        code: "provider_error",
        optOut: "all",
        providerCode: "no"
      }
      expect(yield* refusing("no", "bad token s3cret")).toEqual({ ...rejected, providerMessage: "bad token …" })
      expect(yield* refusing("no", "x".repeat(2_000))).toEqual({ ...rejected, providerMessage: "x".repeat(1_000) })
      expect(yield* refusing("no")).toEqual({ ...rejected, providerMessage: "Our own words." })
    })
  )
})
