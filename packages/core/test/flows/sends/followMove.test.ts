import { aConnection, channelsNamed } from "@parley/testkit/rows"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { followMove, maxMoves } from "../../../src/flows/sends/followMove.js"
import { SendOutcome } from "../../../src/ports/ChannelProvider.js"

const connection = aConnection({ channel: "whatsapp" })
const provider = {
  channels: channelsNamed("whatsapp"),
  parseHandle: (_: unknown, handle: string) => Either.right(handle)
}
const follow = (handle: string, moves = 0) => followMove(SendOutcome.Moved({ handle }), connection, provider, { moves })

describe("a recipient with another handle", () => {
  it("gets the normalised new handle", () => {
    expect(follow("0049 170 1234567")).toEqual(SendOutcome.Moved({ handle: "+491701234567" }))
  })
  it("is rejected for an invalid handle or too many moves", () => {
    const rejected = (providerMessage: string) =>
      SendOutcome.Rejected({ scope: "recipient", code: "provider_error", providerCode: "moved", providerMessage })
    expect(follow("not a number")).toEqual(rejected("the recipient's new handle cannot be read"))
    expect(follow("+491701234567", maxMoves - 1)).toMatchObject({ _tag: "Moved" })
    expect(follow("+491701234567", maxMoves)).toEqual(rejected("the recipient's handle changed too often"))
    expect(maxMoves).toBe(3)
  })
  it("leaves other outcomes unchanged", () => {
    const throttled = SendOutcome.Throttled({ retryAfterMs: 1 })
    expect(followMove(throttled, connection, provider, { moves: 9 })).toBe(throttled)
  })
})
