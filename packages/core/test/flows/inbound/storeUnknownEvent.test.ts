import { aConnection, makeTestIds, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { maxRawBytes } from "../../../src/flows/inbound/storableRaw.js"
import { storeUnknownEvent } from "../../../src/flows/inbound/storeUnknownEvent.js"
import type { UnknownEvent } from "../../../src/model/UnknownEvent.js"

const connection = aConnection()
const kept = (kind: string, raw: string): UnknownEvent => {
  const { ensures } = storeUnknownEvent(connection, { kind, raw }, someTime, makeTestIds())
  return ensures[0]?.row as UnknownEvent
}

describe("an unknown event", () => {
  it("is stored unchanged with its connection", () => {
    expect(kept("reaction", '{"emoji":"👍"}')).toMatchObject({
      connectionId: connection.id,
      workspaceId: connection.workspaceId,
      kind: "reaction",
      raw: '{"emoji":"👍"}',
      createdAt: someTime
    })
  })
  it("is truncated to 64 KiB of UTF-8 at a character boundary", () => {
    expect(kept("x", "a".repeat(maxRawBytes + 1)).raw).toBe("a".repeat(maxRawBytes))
    const cut = kept("x", `a${"😀".repeat(20_000)}`).raw
    expect(Buffer.byteLength(cut)).toBe(maxRawBytes - 3)
    expect(cut.endsWith("😀")).toBe(true)
  })
  it("is stored without unstorable characters", () => {
    expect(kept("k\u0000ind", "\ud800{\u0000}")).toMatchObject({ kind: "kind", raw: "{}" })
  })
})
