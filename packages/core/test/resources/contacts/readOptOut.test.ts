import { aConnection } from "@parley/testkit/rows"
import { Either, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { searchKey } from "../../../src/kernel/text/searchKey.js"
import { optOutKeywords } from "../../../src/resources/contacts/optOutKeywords.js"
import { OptOutSetting, readOptOut } from "../../../src/resources/contacts/readOptOut.js"

const read = (text: string, config = {}) => readOptOut(aConnection({ config }), text)

describe("an opt-out keyword in a text", () => {
  it.each([
    "STOP",
    "stop",
    " Stop. ",
    "«Stop!»",
    "/stop",
    "🛑 STOP 🛑️",
    "stop\u200b",
    "Stop.\n\n-- \nAda Lovelace\nAnalytical Engines",
    `STOP\r\n--\r\n${"Ada ".repeat(100)}`,
    "Stop  All",
    "UNSUBSCRIBE",
    "Abmelden!",
    "Désabonner",
    "DESABONNER",
    "СТОП",
    "Abonelikten çık",
    "退订"
  ])("is an opt-out: %s", (text) => {
    expect(read(text)).toBe(true)
  })
  it.each(["START", "/start", "Unstop", "Старт", "başlat"])("is an opt-in: %s", (text) => {
    expect(read(text)).toBe(false)
  })
  it.each([
    "",
    "!!!",
    "👍",
    "Please stop by tomorrow",
    "stop it",
    "Non-stop",
    "stopp!ng",
    "cancel",
    "no",
    "don't start yet",
    "Yes please\n-- \nstop",
    `stop${" ".repeat(300)}`
  ])("is neither: %s", (text) => {
    expect(read(text)).toBeNull()
  })
  it("is never both opt-out and opt-in, and is found in every language", () => {
    const all = Object.values(optOutKeywords)
    const starts = new Set(all.flatMap(({ start }) => start.map(searchKey)))
    for (const { start, stop } of all) {
      for (const word of stop) expect([word, read(word), starts.has(searchKey(word))]).toEqual([word, true, false])
      for (const word of start) expect([word, read(word)]).toEqual([word, false])
    }
  })
  it("is one of the connection's own keywords only, if it has any", () => {
    const config = { opt_out: { stop: ["Nix mehr", "???"], start: ["Doch wieder"] } }
    expect(read("nix  MEHR!", config)).toBe(true)
    expect(read("doch wieder", config)).toBe(false)
    expect(read("stop", config)).toBeNull()
    expect(read("???", config)).toBeNull()
  })
  it("is ignored if the connection disables keywords or has an invalid setting", () => {
    expect(read("stop", { opt_out: false })).toBeNull()
    expect(read("stop", { opt_out: { stop: "stop" } })).toBeNull()
  })
})

describe("the setting opt_out", () => {
  const decode = Schema.decodeUnknownEither(OptOutSetting)
  it("is false, or two lists of keywords", () => {
    for (const given of [false, { stop: ["stop"], start: [] }, { stop: [], start: ["a b"] }]) {
      expect(Either.isRight(decode(given))).toBe(true)
    }
    const tooMany = Array.from({ length: 101 }, (_, n) => `stop ${n}`)
    for (const given of [
      true,
      null,
      "stop",
      {},
      { stop: ["stop"] },
      { stop: "stop", start: [] },
      { stop: [""], start: [] },
      { stop: ["x".repeat(51)], start: [] },
      { stop: tooMany, start: [] }
    ]) {
      expect([given, Either.isLeft(decode(given))]).toEqual([given, true])
    }
  })
})
