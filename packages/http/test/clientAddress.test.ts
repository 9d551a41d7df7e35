import { expect, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { clientAddress, trustedProxies } from "../src/server/clientAddress.js"
import { contactId } from "./fakes.js"
import { serve } from "./serve.js"

const trusted = Either.getOrThrow(trustedProxies(["10.0.0.0/8", "192.0.2.7", "2001:db8:1::/48"]))

const table: ReadonlyArray<readonly [peer: string | null, forwardedFor: string | undefined, client: string]> = [
  // Only trusted proxies are believed.
  ["203.0.113.9", undefined, "203.0.113.9"],
  ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
  // The last hop that is not a trusted proxy; hops before it are not believed.
  ["10.1.2.3", "198.51.100.1", "198.51.100.1"],
  ["10.1.2.3", "198.51.100.1, 10.9.9.9", "198.51.100.1"],
  ["10.1.2.3", "8.8.8.8, 198.51.100.1, 10.9.9.9, 192.0.2.7", "198.51.100.1"],
  ["192.0.2.7", "198.51.100.1", "198.51.100.1"],
  ["192.0.2.8", "198.51.100.1", "192.0.2.8"],
  ["10.1.2.3", " 198.51.100.1 ,10.9.9.9 ", "198.51.100.1"],
  // Only proxies: the first one.
  ["10.1.2.3", "10.4.4.4, 10.9.9.9", "10.4.4.4"],
  ["10.1.2.3", undefined, "10.1.2.3"],
  ["10.1.2.3", "", "10.1.2.3"],
  // An unreadable hop ends the search.
  ["10.1.2.3", "unknown", "10.1.2.3"],
  ["10.1.2.3", "198.51.100.1, garbage, 10.9.9.9", "10.9.9.9"],
  ["10.1.2.3", "198.51.100.1,", "10.1.2.3"],
  // Ports, IPv6, and IPv4-mapped IPv6.
  ["10.1.2.3", "198.51.100.1:4711", "198.51.100.1"],
  ["10.1.2.3", "[2001:db8:2::1]:4711", "2001:db8:2::1"],
  ["10.1.2.3", "[2001:db8:2::1]", "2001:db8:2::1"],
  ["2001:db8:1::5", "2001:DB8:2:0:0:0:0:1", "2001:db8:2::1"],
  ["2001:db8:2::5", "198.51.100.1", "2001:db8:2::5"],
  ["::ffff:10.1.2.3", "::ffff:198.51.100.1", "198.51.100.1"],
  ["::ffff:203.0.113.9", undefined, "203.0.113.9"],
  ["::ffff:cb00:7109", undefined, "203.0.113.9"],
  // A transport without peer address.
  [null, "198.51.100.1", "unknown"]
]

for (const [peer, forwardedFor, client] of table) {
  it(`finds ${client} behind ${peer} with ${JSON.stringify(forwardedFor)}`, () => {
    expect(clientAddress(peer, forwardedFor, trusted)).toBe(client)
  })
}

it("ignores X-Forwarded-For without trusted proxies", () => {
  expect(clientAddress("127.0.0.1", "198.51.100.1", [])).toBe("127.0.0.1")
})

it("names the invalid range", () => {
  expect(trustedProxies(["10.0.0.0/8", "10.0.0.0/33"])).toEqual(Either.left("10.0.0.0/33"))
  expect(trustedProxies(["proxy.example"])).toEqual(Either.left("proxy.example"))
})

it.scopedLive("charges the bucket of the client behind the proxy", () =>
  Effect.gen(function* () {
    const served = yield* serve({}, { trustedProxies: Either.getOrThrow(trustedProxies(["127.0.0.0/8"])) })
    const headers = { "x-forwarded-for": "1.1.1.1, 198.51.100.1" }
    yield* served.request("GET", `/api/v1/contacts/${contactId}`, { token: null, headers })
    expect([...served.takenFrom.keys()]).toEqual(["address:198.51.100.1"])
  })
)
