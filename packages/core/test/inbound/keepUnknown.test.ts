import { aConnection, makeTestIds, someTime } from "@parley/testkit"
import { describe, expect, it } from "vitest"
import { keepUnknown, mostUnknownBytes } from "../../src/inbound/keepUnknown.js"
import type { UnknownEvent } from "../../src/inbound/UnknownEvent.js"

const connection = aConnection()
const kept = (kind: string, raw: string): UnknownEvent => {
  const { ensures } = keepUnknown(connection, { kind, raw }, someTime, makeTestIds())
  return ensures[0]?.row as UnknownEvent
}

describe("an unknown event", () => {
  it("is kept as it came, for its connection", () => {
    expect(kept("reaction", '{"emoji":"👍"}')).toMatchObject({
      connectionId: connection.id,
      workspaceId: connection.workspaceId,
      kind: "reaction",
      raw: '{"emoji":"👍"}',
      createdAt: someTime
    })
  })
  it("keeps 64 KiB of UTF-8, whole characters alone", () => {
    expect(kept("x", "a".repeat(mostUnknownBytes + 1)).raw).toBe("a".repeat(mostUnknownBytes))
    const cut = kept("x", `a${"😀".repeat(20_000)}`).raw
    expect(Buffer.byteLength(cut)).toBe(mostUnknownBytes - 3)
    expect(cut.endsWith("😀")).toBe(true)
  })
  it("can be stored whatever is in it", () => {
    expect(kept("k\u0000ind", "\ud800{\u0000}")).toMatchObject({ kind: "kind", raw: "{}" })
  })
})
