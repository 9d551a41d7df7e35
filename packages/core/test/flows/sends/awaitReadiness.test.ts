import { expect, it } from "@effect/vitest"
import { aConnection, aMessage } from "@parley/testkit/rows"
import { Cause, Effect, Exit } from "effect"
import { awaitReadiness } from "../../../src/flows/sends/awaitReadiness.js"
import { progressOf } from "../../../src/flows/sends/SendProgress.js"
import type { ChannelProvider, Rate } from "../../../src/ports/ChannelProvider.js"

const services = {
  storage: { read: () => Effect.dieMessage("not read"), reserveSlot: () => Effect.succeed(0) },
  decideAndCommit: () => Effect.dieMessage("not changed")
}
const rate: Rate = { messages: 10, per: 1_000, burst: 1 }

it.effect("a send fails before its turn if the rates of its provider are no rates", () =>
  Effect.gen(function* () {
    const waits = (rates: ChannelProvider["rates"]) =>
      Effect.exit(
        awaitReadiness(services, {
          message: aMessage({ id: "01900000-0000-7000-8000-000000000001" }),
          progress: progressOf({ payload: { to: "+1" } }),
          connection: aConnection({}),
          provider: { kind: "pager", rates } as ChannelProvider
        })
      )
    for (const wrong of [{ messages: NaN }, { messages: 0 }, { per: Infinity }, { burst: -1 }]) {
      for (const at of ["connection", "recipient"]) {
        const exit = yield* waits(() => ({ connection: null, recipient: null, [at]: { ...rate, ...wrong } }))
        expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toMatch(
          /rates of the provider pager must have positive/
        )
      }
    }
    for (const rates of [
      () => ({ connection: rate, recipient: rate }),
      () => ({ connection: null, recipient: null })
    ]) {
      expect(Exit.isSuccess(yield* waits(rates))).toBe(true)
    }
  })
)
