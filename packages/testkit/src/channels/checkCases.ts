import assert from "node:assert/strict"
import { Effect } from "effect"
import type { ChannelFixture } from "./ChannelFixture.js"
import { type ContractCase, conditionalCase } from "./ContractCase.js"
import { opened } from "./opened.js"

/** The result of `check` for a connection. */
export const checkCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => [
  conditionalCase("checks whether a connection's settings work, and sends nothing", fixture.check, (check) =>
    Effect.gen(function* () {
      const { account, other, provider, taken } = yield* opened(fixture)
      assert.ok(provider.check, "the provider has no check")
      const { check: checked } = provider
      assert.equal(
        (yield* checked(account.connection, account.credentials))._tag,
        check.working,
        "for `account` of the fixture, which works"
      )
      assert.equal(
        (yield* checked(account.connection, other.credentials))._tag,
        check.wrongCredentials,
        "for the connection of `account` with the credentials of `other`, which are valid for another account"
      )
      assert.deepEqual(taken(), [], "the check sent a message")
    })
  )
]
