import { Either } from "effect"
import { expect, it } from "vitest"
import type { Incoming } from "../src/server/Incoming.js"
import { jsonBody } from "../src/server/jsonBody.js"

const incoming = { headers: { "content-type": "application/json" } } as unknown as Incoming

it.each([
  ["half a character", [0x7b, 0x22, 0xc3]],
  ["a byte that is never UTF-8", [0x7b, 0x22, 0xff, 0x22]],
  ["a byte order mark only", [0xef, 0xbb, 0xbf]]
])("reads a body after one with %s", (_, bytes) => {
  expect(Either.isLeft(jsonBody(new Uint8Array(bytes), incoming))).toBe(true)
  for (const text of ['{"a":"ö"}', '\ufeff{"a":"ö"}', '{"a":"ö"}']) {
    expect(jsonBody(new TextEncoder().encode(text), incoming)).toEqual(Either.right({ a: "ö" }))
  }
})
