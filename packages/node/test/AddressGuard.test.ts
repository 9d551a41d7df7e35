import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import * as AddressGuard from "../src/AddressGuard.js"

const guard = (...allow: ReadonlyArray<string>) => Either.getOrThrow(AddressGuard.make(allow))

const refused: ReadonlyArray<readonly [what: string, addresses: ReadonlyArray<string>]> = [
  ["unspecified", ["0.0.0.0", "0.1.2.3", "::", "0:0:0:0:0:0:0:0"]],
  ["loopback", ["127.0.0.1", "127.255.255.254", "::1"]],
  ["private", ["10.0.0.0", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255"]],
  ["unique local", ["fc00::1", "fdff:ffff::1"]],
  ["link-local", ["169.254.0.1", "fe80::1", "febf::1"]],
  ["site-local", ["fec0::1", "feff::1"]],
  ["carrier-grade NAT", ["100.64.0.1", "100.127.255.255"]],
  [
    "metadata",
    ["169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254"]
  ],
  ["multicast", ["224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"]],
  ["broadcast", ["255.255.255.255"]],
  ["reserved", ["240.0.0.1", "254.255.255.255", "192.0.0.1", "192.88.99.1"]],
  ["documentation", ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"]],
  ["benchmark", ["198.18.0.1", "198.19.255.255", "2001:2::1"]],
  ["mapped", ["::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8", "::FFFF:10.0.0.1"]],
  ["translated", ["::ffff:0:127.0.0.1", "::ffff:0:8.8.8.8"]],
  ["compatible", ["::127.0.0.1", "::7f00:1", "::8.8.8.8"]],
  ["NAT64", ["64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::a00:1"]],
  ["6to4", ["2002:7f00:1::", "2002:808:808::1"]],
  ["Teredo", ["2001::1", "2001:0:53aa:64c::1"]],
  ["other special ranges", ["2001:10::1", "2001:20::1", "100::1", "5f00::1", "4000::1", "1000::1", "fe00::1"]],
  ["with a zone id", ["fe80::1%eth0", "fe80::1%1", "::1%lo", "2606:4700::1111%eth0"]],
  [
    "in another form than canonical",
    [
      "0177.0.0.1",
      "08.8.8.8",
      "0x8080808",
      "0x08.8.8.8",
      "134744072",
      "8.8.8",
      "8.8.8.8.",
      "8.8.8.8 ",
      "[2606:4700::1111]"
    ]
  ],
  ["an invalid address", ["", "example.com", "localhost", "8.8.8.8/32", "8.8.8.256", "1.2.3.4.5"]]
]

const allowed = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.1",
  "169.253.255.255",
  "172.15.255.255",
  "172.32.0.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2001:4860:4860::8888",
  "2A00:1450::1",
  "2003::1"
]

describe("AddressGuard", () => {
  for (const [what, addresses] of refused) {
    for (const address of addresses) {
      it(`refuses ${what}: "${address}"`, () => expect(guard().allows(address)).toBe(false))
    }
  }
  for (const address of allowed) {
    it(`allows ${address}`, () => expect(guard().allows(address)).toBe(true))
  }

  it("allows exactly the listed networks", () => {
    const lenient = guard("127.0.0.0/8", "fd00::/8", "10.1.2.3", " ::1/128 ")
    for (const address of ["127.0.0.1", "127.9.9.9", "fd12::1", "10.1.2.3", "::1", "8.8.8.8"]) {
      expect(lenient.allows(address), address).toBe(true)
    }
    for (const address of ["10.1.2.4", "fc00::1", "::2", "192.168.0.1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"]) {
      expect(lenient.allows(address), address).toBe(false)
    }
  })

  it("allows IPv6 with embedded IPv4 only by its own range", () => {
    expect(guard("::ffff:0:0/96").allows("::ffff:127.0.0.1")).toBe(true)
    expect(guard("64:ff9b::/96").allows("64:ff9b::808:808")).toBe(true)
  })

  for (const cidr of [
    "",
    "ten",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/",
    "10/8",
    "010.0.0.0/8",
    "::/129",
    "fe80::1%eth0/64",
    "1.2.3.4/8/8"
  ]) {
    it(`names the invalid CIDR "${cidr}"`, () => {
      const error = Either.getOrThrow(Either.flip(AddressGuard.make(["10.0.0.0/8", cidr])))
      expect(error._tag).toBe("CidrInvalid")
      expect(error.message).toContain(`"${cidr}"`)
    })
  }

  it("refuses every private IPv4 address in every IPv6 notation", () => {
    const byte = fc.integer({ min: 0, max: 255 })
    const hidden = fc.tuple(fc.constantFrom("10", "127", "0"), byte, byte, byte).map((parts) => parts.join("."))
    const clothing = fc.constantFrom("::ffff:", "::ffff:0:", "::", "64:ff9b::", "64:ff9b:1::")
    fc.assert(fc.property(clothing, hidden, (prefix, address) => !guard().allows(prefix + address)))
  })
})
