import { FastCheck } from "effect"
import { describe, expect, it } from "vitest"
import { readAddresses, spellAddress } from "../src/addresses.js"

const read = (header: string): ReadonlyArray<string> => readAddresses(header).map(spellAddress)
const base64 = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`

describe("an address header", () => {
  it.each<readonly [header: string, ...expected: ReadonlyArray<string>]>([
    ["ada@x.example", "ada@x.example"],
    ["Ada Lovelace <ada@x.example>", "Ada Lovelace <ada@x.example>"],
    ["Ada Lovelace<ada@x.example>", "Ada Lovelace <ada@x.example>"],
    ["ada@x.example (Ada Lovelace)", "Ada Lovelace <ada@x.example>"],
    ["Ada (in (sales) \\( today) <ada@x.example>", "Ada (in (sales) ( today) <ada@x.example>"],
    ["Ada <ada(the)@(home)x.example>", "Ada <ada@x.example>"],
    ['"Lovelace, Ada \\"G\\" \\\\" <ada@x.example>', 'Lovelace, Ada "G" \\ <ada@x.example>'],
    ['"Ada (sales)" (x) <ada@x.example>', "Ada (sales) (x) <ada@x.example>"],
    ["=?utf-8?q?Gr=C3=BC?= =?utf-8?q?n_Ada?= <ada@x.example>", "Grün Ada <ada@x.example>"],
    ['"=?utf-8?q?Gr=C3=BCn?=" <ada@x.example>', "Grün <ada@x.example>"],
    ["=?iso-8859-1?q?Doe=2C_J=E9r=F4me?= <ada@x.example>", "Doe, Jérôme <ada@x.example>"],
    ["=?unheard?q?Ada?= <ada@x.example>", "Ada <ada@x.example>"],
    [`${base64("Eve <eve@evil.example>")} <ada@x.example>`, "Eve <eve@evil.example> <ada@x.example>"],
    [base64("Ada <ada@x.example>"), "Ada <ada@x.example>"],
    ["Ünal <ü@bücher.example>", "Ünal <ü@bücher.example>"],
    ["a@x.example, Bob <b@x.example>,,c@x.example", "a@x.example", "Bob <b@x.example>", "c@x.example"],
    ["a@x.example; b@x.example", "a@x.example", "b@x.example"],
    ["Team: Ada <a@x.example>, b@x.example;, c@x.example", "Ada <a@x.example>", "b@x.example", "c@x.example"],
    ['"A: team" (x): a@x.example;', "a@x.example"],
    ["undisclosed-recipients:;"],
    [""],
    ["Ada Lovelace"],
    ['"ada lovelace"@x.example', '"ada lovelace"@x.example'],
    ['Ada <"a,<b>"@x.example>, c@x.example', 'Ada <"a,<b>"@x.example>', "c@x.example"],
    ['"ada"@x.example', "ada@x.example"],
    ["ada . l @ x.example", "ada.l@x.example"],
    ["Ada < ada . l @ x . example >", "Ada <ada.l@x.example>"],
    ["<@a.example,@b.example:ada@x.example>", "ada@x.example"],
    ["ada@[192.0.2.1], b@[IPv6:2001:db8::1]", "ada@[192.0.2.1]", "b@[IPv6:2001:db8::1]"],
    ["Ada <ada@x.example", "Ada <ada@x.example>"],
    ["Ada <ada@x.example, Bob <bob@x.example>", "Ada <ada@x.example>", "Bob <bob@x.example>"],
    ["Ada <<ada@x.example>>", "Ada <ada@x.example>"],
    ["<a@x.example> <b@x.example>", "a@x.example", "b@x.example"],
    ['"Ada <ada@x.example>', "Ada <ada@x.example>"],
    ["Ada (sales <ada@x.example>", "Ada (sales <ada@x.example>"],
    ["'ada@x.example'", "ada@x.example"],
    ["Ada ada@x.example", "Ada <ada@x.example>"],
    ["Ada <none> ada@x.example", "Ada <ada@x.example>"],
    ["mailto:ada@x.example", "ada@x.example"],
    ["Ada\u0007 \t B <ada@x.example>", "Ada B <ada@x.example>"]
  ])("is read: %s", (header, ...expected) => {
    expect(read(header)).toEqual(expected)
  })
  it("gives addresses with something on both sides, of any text", () => {
    const piece = FastCheck.constantFrom(..."@.:;,<>()\"\\' ", "a", "b@c.example", "=?utf-8?q?=40?=", "\n")
    FastCheck.assert(
      FastCheck.property(FastCheck.array(piece), (pieces) => {
        for (const { address } of readAddresses(pieces.join(""))) expect(address).toMatch(/^[\s\S]+@[^\s<>@]+$/)
      })
    )
  })
  // One pass: were each opening searched anew for its end, none of these would end in the time of a test.
  it.each(
    [
      "(",
      '"',
      '\\"',
      "<",
      "<(",
      "((a)",
      "a@",
      "@",
      "a@b,",
      "a <a@b> ",
      " . ",
      "=?",
      "=?a?b?",
      ": ",
      "a:",
      "<,",
      "'"
    ].flatMap((piece) => ["", "(", "<@", "x@"].map((start) => [start, piece] as const))
  )("is read where %j precedes a megabyte of %j", (start, piece) => {
    const header = `${start}${piece.repeat(1_000_000 / piece.length)}`
    expect(readAddresses(header).length).toBeLessThanOrEqual(header.length)
  })
  it("is read where half a megabyte of words stands before an at sign and as many colons", () => {
    expect(readAddresses(`${"a ".repeat(250_000)}x@${" :".repeat(250_000)}`)).toEqual([])
  })
})
