import assert from "node:assert/strict"
import { Cause, Effect, FastCheck, Option } from "effect"
import type { CalledWebhook } from "./webhookCase.js"

const runs = 200

/**
 * Any body is either read or refused as unreadable: random bytes, random JSON, and the vendor's request truncated or
 * with a replaced value.
 */
export const breaksOnNothing = <Vendor>({
  message,
  parse,
  request
}: CalledWebhook<Vendor>): Effect.Effect<void, unknown> => {
  const own = request([message(1)])
  const bodies = FastCheck.oneof(
    FastCheck.uint8Array(),
    FastCheck.json().map(bytesOf),
    FastCheck.nat(own.body.length - 1).map((end) => own.body.slice(0, end)),
    exchanged(own.body)
  )
  return Effect.promise(() =>
    FastCheck.assert(
      FastCheck.asyncProperty(bodies, async (body) => {
        const broken = await Effect.runPromise(
          Effect.suspend(() => parse({ ...own, body })).pipe(
            Effect.as(Option.none()),
            Effect.catchAllCause((cause) => Effect.succeed(Cause.dieOption(cause)))
          )
        )
        assert.deepEqual(broken, Option.none())
      }),
      { seed: 1, numRuns: runs }
    )
  )
}

/** The vendor's JSON with one replaced value; unchanged if the body is not JSON. */
const exchanged = (body: Uint8Array): FastCheck.Arbitrary<Uint8Array> => {
  const value = jsonOf(body)
  const places = value === undefined ? [] : placesIn(value)
  if (places.length === 0) return FastCheck.constant(body)
  return FastCheck.tuple(FastCheck.constantFrom(...places), FastCheck.jsonValue()).map(([place, other]) =>
    bytesOf(JSON.stringify(exchange(value, place, other)))
  )
}

type Place = ReadonlyArray<string>

const jsonOf = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

const isTree = (value: unknown): value is object => typeof value === "object" && value !== null

const placesIn = (value: unknown): ReadonlyArray<Place> =>
  isTree(value)
    ? Object.entries(value).flatMap(([key, inner]) => [[key], ...placesIn(inner).map((place) => [key, ...place])])
    : []

const exchange = (value: unknown, [key, ...inner]: Place, other: unknown): unknown => {
  if (key === undefined || !isTree(value)) return other
  const within = exchange(Reflect.get(value, key), inner, other)
  return Array.isArray(value)
    ? value.map((one, at) => (String(at) === key ? within : one))
    : { ...value, [key]: within }
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
