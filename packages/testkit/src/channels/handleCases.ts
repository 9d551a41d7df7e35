import assert from "node:assert/strict"
import { channelOf, handleKind, normaliseHandle } from "@parley/core"
import { Effect, Either } from "effect"
import type { ChannelFixture } from "./ChannelFixture.js"
import { type ContractCase, conditionalCase, requiredCase } from "./ContractCase.js"
import { accepted, messageId, type Opened, opened } from "./opened.js"

/** Handles of customers: as written by people, as stored, and in the vendor's spelling. */
export const handleCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => {
  const { handles, sends } = fixture
  return [
    requiredCase(
      "normalises every spelling of a handle to one, and leaves that one unchanged",
      Effect.gen(function* () {
        const world = yield* opened(fixture)
        for (const { written, normalised } of handles.good) {
          for (const spelling of [written, normalised]) {
            assert.deepEqual(kept(world, spelling), Either.right(normalised))
          }
        }
      })
    ),
    conditionalCase("sends a handle in the vendor's spelling", sends.taken, () =>
      Effect.gen(function* () {
        const { send, taken } = yield* opened(fixture)
        for (const [at, { normalised }] of handles.good.entries()) {
          accepted(yield* send({ id: messageId(at), to: normalised }))
        }
        assert.deepEqual(
          taken().map(({ to }) => to),
          handles.good.map(({ vendor }) => vendor)
        )
      })
    ),
    conditionalCase("refuses an invalid handle with a plain message", handles.bad, (bad) =>
      Effect.gen(function* () {
        const world = yield* opened(fixture)
        for (const text of bad) {
          const problem = Either.flip(kept(world, text))
          assert.ok(Either.isRight(problem), `${text} is taken for a handle`)
          assert.match(problem.right, /^must /)
        }
      })
    )
  ]
}

/** The stored form of a handle, or its problem. */
const kept = ({ account, provider }: Opened<unknown>, text: string): Either.Either<string, string> => {
  const { channel } = account.connection
  return Either.flatMap(normaliseHandle(handleKind(channelOf(provider.channels, channel)), text), (normal) =>
    provider.parseHandle(channel, normal)
  )
}
