import { expect, it } from "@effect/vitest"
import { day, minute } from "@parley/core"
import { addressKey } from "../src/addressKey.js"
import { maxKeys } from "../src/fixedWindows.js"
import { makeVisitorLimits } from "../src/VisitorLimits.js"

const now = 1_790_000_000_000

it("counts an IPv4 address alone, and an IPv6 address by its /64 network", () => {
  expect(addressKey("192.0.2.1")).toBe("192.0.2.1")
  expect(addressKey("::ffff:192.0.2.1")).toBe("192.0.2.1")
  const network = addressKey("2001:db8:1:2::1")
  expect(network).toBe("2001:db8:1:2::/64")
  for (const same of ["2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:0DB8:1:2:0:0:0:9", "2001:db8:1:2::192.0.2.1"]) {
    expect(addressKey(same)).toBe(network)
  }
  for (const other of ["2001:db8:1:3::1", "2001:db8:1::2", "::1", "fe80::1%eth0"]) {
    expect(addressKey(other)).not.toBe(network)
  }
  expect([addressKey("::1"), addressKey("fe80::1%eth0")]).toEqual(["0:0:0:0::/64", "fe80:0:0:0::/64"])
  expect([addressKey(undefined), addressKey("unknown"), addressKey("")]).toEqual([null, null, null])
})

it("counts nothing of a refused request", () => {
  const limits = makeVisitorLimits({
    messagesPerMinute: 1,
    address: { messagesPerMinute: 2 },
    total: { messagesPerMinute: 3 }
  })
  const refusedBy = (visitor: string, address: string) => limits.message(visitor, address, 1, now)?.of ?? null
  expect(refusedBy("a", "192.0.2.1")).toBeNull()
  for (let n = 0; n < 5; n += 1) expect(refusedBy("a", "192.0.2.1")).toBe("visitor")
  expect(refusedBy("b", "192.0.2.1")).toBeNull()
  for (let n = 0; n < 5; n += 1) expect(refusedBy("c", "192.0.2.1")).toBe("address")
  expect(refusedBy("c", "192.0.2.2")).toBeNull()
  expect(refusedBy("d", "192.0.2.3")).toBe("total")
})

it("limits the bytes of the messages of an address, but takes one that is longer than the limit", () => {
  const limits = makeVisitorLimits({ address: { messageBytesPerMinute: 1_000 } })
  const refused = (bytes: number, at = now) => limits.message(`${Math.random()}`, "192.0.2.1", bytes, at)
  expect(refused(600)).toBeNull()
  expect(refused(500)).toEqual({ limit: "message_bytes", of: "address", retryAfter: 60 })
  expect(refused(400)).toBeNull()
  expect(refused(1, now + minute - 500)?.retryAfter).toBe(1)
  expect(refused(1_001, now + minute)).toBeNull()
})

it("counts a small file as one of 64 KiB, for visitor, address and all", () => {
  const limits = makeVisitorLimits({
    fileBytesPerDay: 131_072,
    address: { fileBytesPerDay: 196_608 },
    total: { fileBytesPerDay: 262_144 }
  })
  const refused = (visitor: string, address: string, at = now) => limits.file(visitor, address, 1, at)
  for (let n = 0; n < 2; n += 1) expect(refused("a", "192.0.2.1")).toBeNull()
  expect(refused("a", "192.0.2.1")).toEqual({ limit: "file_bytes", of: "visitor", retryAfter: 86_400 })
  expect(refused("b", "192.0.2.1")).toBeNull()
  expect(refused("b", "192.0.2.1")?.of).toBe("address")
  expect(refused("b", "192.0.2.2")).toBeNull()
  expect(refused("c", "192.0.2.3")?.of).toBe("total")
  expect(refused("c", "192.0.2.3", now + day)).toBeNull()
})

it("remembers a bounded number of visitors and addresses", () => {
  const limits = makeVisitorLimits({ total: { visitorsPerMinute: Number.POSITIVE_INFINITY } })
  const address = (n: number) => `2001:db8:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}::1`
  for (let n = 0; n < maxKeys + 10_000; n += 1) expect(limits.visitor(address(n), now)).toBeNull()
  // One more is the window of all visitors.
  expect(limits.size()).toBe(maxKeys + 1)
  expect(limits.visitor("192.0.2.1", now + minute)).toBeNull()
  expect(limits.size()).toBe(2)
})

it("remembers no visitor or address without a stream", () => {
  const { streams } = makeVisitorLimits({ total: { streams: 100 } })
  const address = (n: number) => `2001:db8:0:${n.toString(16)}::1`
  const opened = Array.from({ length: 200 }, (_, n) => streams.open(`visitor ${n}`, address(n)))
  expect(opened.filter((isOpen) => isOpen).length).toBe(100)
  expect(streams.size()).toBe(200)
  for (let n = 0; n < 100; n += 1) streams.close(`visitor ${n}`, address(n))
  expect(streams.size()).toBe(0)
})
