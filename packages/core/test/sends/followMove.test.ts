import { aConnection } from "@parley/testkit"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { SendOutcome } from "../../src/ports/ChannelProvider.js"
import { followMove, mostMoves } from "../../src/sends/followMove.js"

const connection = aConnection({ channel: "whatsapp" })
const provider = { parseHandle: (_: unknown, handle: string) => Either.right(handle) }
const follow = (handle: string, moves = 0) => followMove(SendOutcome.Moved({ handle }), connection, provider, { moves })

describe("a recipient with another handle", () => {
  it("is followed to it, as we write it", () => {
    expect(follow("0049 170 1234567")).toEqual(SendOutcome.Moved({ handle: "+491701234567" }))
  })
  it("is not followed to what is no handle, nor on and on", () => {
    expect(follow("nobody")).toMatchObject({ _tag: "Rejected", scope: "recipient" })
    expect(follow("+491701234567", mostMoves - 1)).toMatchObject({ _tag: "Moved" })
    expect(follow("+491701234567", mostMoves)).toMatchObject({ _tag: "Rejected", scope: "recipient" })
  })
  it("changes no other outcome", () => {
    const throttled = SendOutcome.Throttled({ retryAfterMs: 1 })
    expect(followMove(throttled, connection, provider, { moves: 9 })).toBe(throttled)
  })
})
