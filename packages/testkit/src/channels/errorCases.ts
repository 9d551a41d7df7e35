import assert from "node:assert/strict"
import { catalogue, type SendOutcome } from "@parley/core"
import { Effect } from "effect"
import type { ChannelFixture, ExpectedOutcome, Lacks, Throttle } from "./ChannelFixture.js"
import { type ContractCase, conditionalCase, isLacking, requiredCase } from "./ContractCase.js"
import { accepted, arranged, messageId, opened } from "./opened.js"

/** Each documented error of a vendor has exactly one outcome, on every try. */
export const errorCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => {
  const { errors, throttles } = fixture.sends

  const throttled = <T extends Throttle<Vendor>>(
    name: string,
    throttle: T | Lacks,
    after: (throttle: T) => number | null
  ) =>
    conditionalCase(name, throttle, (throttle) =>
      Effect.gen(function* () {
        const { send, taken, vendor } = yield* opened(fixture)
        yield* arranged(() => throttle.arrange(vendor))
        const { scope = "connection" } = throttle
        const first = yield* send({ ...recipient(throttle), attempt: 1 })
        isAsExpected(first, { _tag: "Throttled", scope, retryAfterMs: after(throttle) })
        assert.deepEqual(taken(), [], "the vendor took a message that it throttled")
        accepted(yield* send({ ...recipient(throttle), attempt: 2 }))
      })
    )

  return [
    ...(isLacking(errors) ? [conditionalCase("maps each error to one outcome", errors, () => Effect.void)] : []),
    ...(isLacking(errors) ? [] : errors).map((error) =>
      requiredCase(
        `answers ${error.name} with ${named(error.outcome)}`,
        Effect.gen(function* () {
          const { send, taken, vendor } = yield* opened(fixture)
          for (const attempt of [1, 2]) {
            yield* arranged(() => error.arrange(vendor))
            isAsExpected(yield* send({ ...recipient(error), id: messageId(attempt), attempt }), error.outcome)
          }
          if (error.outcome._tag !== "Unknown") assert.deepEqual(taken(), [], "the vendor took what it refused")
        })
      )
    ),
    throttled("waits for the vendor's retry delay", throttles.hinted, ({ retryAfterMs }) => retryAfterMs),
    throttled("waits without a retry delay of the vendor", throttles.unhinted, () => null)
  ]
}

const recipient = ({ to }: { readonly to?: string }) => (to === undefined ? {} : { to })

/** For example `Rejected (recipient)`. */
const named = (outcome: ExpectedOutcome): string => {
  const { scope } = { scope: undefined, ...outcome }
  return scope === undefined ? outcome._tag : `${outcome._tag} (${scope})`
}

/** Compares the expected fields; a missing `optOut` always fails. */
const isAsExpected = (outcome: SendOutcome, expected: ExpectedOutcome): void => {
  const wanted = { optOut: undefined, ...complete(expected) }
  const found = Object.fromEntries(Object.keys(wanted).map((field) => [field, Reflect.get(complete(outcome), field)]))
  assert.deepEqual(found, wanted)
  if (outcome._tag !== "Rejected") return
  assert.ok(outcome.code in catalogue, `${outcome.code} is no code of the catalogue`)
  assert.ok(outcome.providerCode.length > 0, "an empty providerCode")
  assert.ok(outcome.providerMessage.length > 0, "an empty providerMessage")
}

/** Sets the default scope of a throttle. */
const complete = (outcome: SendOutcome | ExpectedOutcome): object =>
  outcome._tag === "Throttled" ? { scope: "connection", ...outcome } : outcome
