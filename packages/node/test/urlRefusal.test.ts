import { describe, expect, it } from "@effect/vitest"
import { Either } from "effect"
import * as AddressGuard from "../src/AddressGuard.js"
import { urlRefusal } from "../src/urlRefusal.js"

const guard = Either.getOrThrow(AddressGuard.make())
const lenient = Either.getOrThrow(AddressGuard.make(["127.0.0.0/8", "::1"]))

const https = "must be an https URL"
const credentials = "must be without a user name and password"
const port = "must be on another port than 0 and 25"
const address = "must be at a public address"

const cases: ReadonlyArray<readonly [url: string, refusal: string | null]> = [
  ["https://hooks.example/in", null],
  ["https://hooks.example:8443/in?a=b", null],
  ["https://hooks.example.:8443/", null],
  ["HTTPS://HOOKS.EXAMPLE/", null],
  ["https://bücher.example/", null],
  ["https://1.1.1.1/", null],
  ["https://[2606:4700::1111]/", null],
  ["http://hooks.example/", https],
  ["ftp://hooks.example/", https],
  ["javascript:alert(1)", https],
  ["//hooks.example/", https],
  ["hooks.example", https],
  ["", https],
  ["https://", https],
  ["https://a b/", https],
  [" https://hooks.example/", https],
  ["https://hooks.example/\n", https],
  ["https://hooks.exa\tmple/", https],
  ["https://hooks.example/\u0000", https],
  ["https://hooks.example:99999/", https],
  ["https://1.2.3.4.5/", https],
  ["https://[fe80::1%25eth0]/", https],
  ["https://user@hooks.example/", credentials],
  ["https://user:secret@hooks.example/", credentials],
  ["https://:secret@hooks.example/", credentials],
  ["https://hooks.example:0/", port],
  ["https://hooks.example:25/", port],
  ["https://hooks.example:025/", port],
  ["https://127.0.0.1/", address],
  ["https://127.0.0.1./", address],
  ["https://127.1/", address],
  ["https://2130706433/", address],
  ["https://0x7f000001/", address],
  ["https://0x7f.0.0.1/", address],
  ["https://0177.0.0.1/", address],
  ["https://017700000001/", address],
  ["https://%31%32%37.0.0.1/", address],
  ["https://127。0。0。1/", address],
  ["https://①②⑦.0.0.1/", address],
  ["https://0/", address],
  ["https://169.254.169.254/latest/meta-data", address],
  ["https://[::1]/", address],
  ["https://[::]/", address],
  ["https://[::ffff:127.0.0.1]/", address],
  ["https://[::ffff:8.8.8.8]/", address],
  ["https://[64:ff9b::7f00:1]/", address],
  ["https://[fd00::1]:8443/", address]
]

describe("urlRefusal", () => {
  for (const [url, refusal] of cases) {
    it(`${refusal === null ? "accepts" : "refuses"} ${JSON.stringify(url)}`, () =>
      expect(urlRefusal(url, guard, false)).toBe(refusal))
  }

  it("accepts http if allowed", () => {
    expect(urlRefusal("http://hooks.example/", guard, true)).toBe(null)
    expect(urlRefusal("https://hooks.example/", guard, true)).toBe(null)
    expect(urlRefusal("ftp://hooks.example/", guard, true)).toBe("must be an http or https URL")
    expect(urlRefusal("http://127.0.0.1/", guard, true)).toBe(address)
  })

  it("accepts an IP address that is allowed", () => {
    expect(urlRefusal("https://127.0.0.1:8443/", lenient, false)).toBe(null)
    expect(urlRefusal("https://[::1]/", lenient, false)).toBe(null)
    expect(urlRefusal("https://10.0.0.1/", lenient, false)).toBe(address)
  })

  it("accepts at most 2,048 characters", () => {
    const url = "https://hooks.example/".padEnd(2_048, "a")
    expect(urlRefusal(url, guard, false)).toBe(null)
    expect(urlRefusal(`${url}a`, guard, false)).toBe("must be at most 2,048 characters")
  })
})
