import assert from "node:assert/strict"
import { Effect } from "effect"
import type { ChannelFixture } from "./ChannelFixture.js"
import { type ContractCase, conditionalCase } from "./ContractCase.js"
import { accepted, opened } from "./opened.js"

/** What the customer sees of the business beside messages: that it types, and has read. */
export const signalCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => {
  const { signals = { lacks: "the channel has no signals" } } = fixture
  return [
    conditionalCase("shows the signals that it declares, and no message", signals, (taken) =>
      Effect.gen(function* () {
        const { account, provider, send, taken: messages, vendor } = yield* opened(fixture)
        const { readMarks = false, typing = false } = provider.capabilities(account.connection)
        const kinds = [...(typing ? ["typing" as const] : []), ...(readMarks ? ["read" as const] : [])]
        assert.notDeepEqual(kinds, [], "the fixture has signals, and the capabilities declare none")
        const lastMessageId = accepted(yield* send())
        const before = messages().length
        for (const kind of kinds) {
          const count = taken(vendor)
          const signal = { kind, to: fixture.handles.good[0].normalised, lastMessageId }
          yield* provider.signal?.(account.connection, account.credentials, signal) ?? Effect.void
          assert.equal(taken(vendor), count + 1, `the vendor took no signal ${kind}`)
        }
        assert.equal(messages().length, before, "a signal became a message")
      })
    ),
    {
      name: "declares signals only if it has them",
      lacks: null,
      run: Effect.map(opened(fixture), ({ account, provider }) => {
        const { readMarks = false, typing = false } = provider.capabilities(account.connection)
        const declares = readMarks || typing
        assert.equal(provider.signal !== undefined, declares, "the capabilities and the method signal differ")
        if (declares) assert.notEqual(fixture.signals, undefined, "the fixture has no field signals")
      })
    }
  ]
}
