import { expect, it } from "@effect/vitest"
import { crossOrigin } from "../src/crossOrigin.js"

const shop = "https://shop.example"
const allowedFor = (allowed: ReadonlyArray<string>, headers: { readonly [name: string]: string }) =>
  crossOrigin(allowed, headers)?.["access-control-allow-origin"]

it("accepts the allowed origins only", () => {
  expect(allowedFor([shop], { origin: shop })).toBe(shop)
  for (const origin of [
    "http://shop.example",
    "https://shop.example:444",
    "https://shop.example.evil.example",
    "null"
  ]) {
    expect(crossOrigin([shop], { origin, host: "chat.example" })).toBeNull()
  }
})

it("always accepts the page's own origin", () => {
  expect(crossOrigin([], { origin: shop, host: "shop.example" })).toEqual({ vary: "origin" })
  expect(crossOrigin([], { origin: shop, host: "behind-a-proxy", "sec-fetch-site": "same-origin" })).not.toBeNull()
  expect(crossOrigin([], { origin: shop, host: "chat.example", "sec-fetch-site": "same-site" })).toBeNull()
})

it("accepts any origin for *", () => {
  expect(allowedFor(["*"], { origin: "null" })).toBe("*")
})

it("accepts programs without an origin", () => {
  expect(crossOrigin([], {})).toEqual({ vary: "origin" })
})

it("sends Vary: Origin", () => {
  expect(crossOrigin([shop], { origin: shop })?.vary).toBe("origin")
})
