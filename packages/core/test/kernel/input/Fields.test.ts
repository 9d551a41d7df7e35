import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { listOf, text } from "../../../src/kernel/input/Fields.js"
import { partialDecode } from "../../../src/kernel/input/PartialDecode.js"
import { listOfParts, strictStruct } from "../../../src/kernel/input/StrictStruct.js"

const item = strictStruct("a part", Schema.Struct({ name: text(5) }))

/** A list that counts how often its items are read. */
const watched = (items: ReadonlyArray<unknown>) => {
  const reads = { count: 0 }
  const list = new Proxy(items, {
    get: (target, key, receiver) => {
      if (typeof key === "string" && /^\d+$/.test(key)) reads.count++
      return Reflect.get(target, key, receiver)
    }
  })
  return { list, reads }
}

describe.each([
  ["listOf", partialDecode(Schema.Struct({ list: listOf(text(5), 3, 1) })), "a"],
  ["listOfParts", partialDecode(Schema.Struct({ list: listOfParts(item, 3, 1) })), { name: "a" }]
] as const)("%s", (_, read, valid) => {
  it("reads no item of a list that is too long", () => {
    const { list, reads } = watched(Array(1_000).fill(1))
    expect(read({ list }).problems).toEqual({ list: ["must have 1 to 3 items"] })
    expect(reads.count).toBe(0)
  })
  it("decodes lists within the limits, and refuses other values", () => {
    expect(read({ list: [valid, valid] })).toEqual({ value: { list: [valid, valid] }, problems: {} })
    expect(read({ list: [] }).problems).toEqual({ list: ["must have 1 to 3 items"] })
    for (const list of [{ length: 2 }, "ab", 5, null])
      expect(read({ list }).problems).toEqual({ list: ["must be a list"] })
    expect(Object.keys(read({ list: [valid, 5] }).problems)).toEqual(["list.1"])
  })
})
