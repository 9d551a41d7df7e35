import { aConnection } from "@parley/testkit"
import { Either, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { folded } from "../../src/contacts/folded.js"
import { optOutWords } from "../../src/contacts/optOutWords.js"
import { OptOutSetting, readOptOut } from "../../src/contacts/readOptOut.js"

const read = (text: string, config = {}) => readOptOut(aConnection({ config }), text)

describe("what a text says of being written to", () => {
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
  ])("is no more of it: %s", (text) => {
    expect(read(text)).toBe(true)
  })
  it.each(["START", "/start", "Unstop", "Старт", "başlat"])("is more of it: %s", (text) => {
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
  ])("is nothing: %s", (text) => {
    expect(read(text)).toBeNull()
  })
  it("has no word for both, and none that its own language would not find", () => {
    const all = Object.values(optOutWords)
    const starts = new Set(all.flatMap(({ start }) => start.map(folded)))
    for (const { start, stop } of all) {
      for (const word of stop) expect([word, read(word), starts.has(folded(word))]).toEqual([word, true, false])
      for (const word of start) expect([word, read(word)]).toEqual([word, false])
    }
  })
  it("goes by a connection's own words alone, where it has some", () => {
    const config = { opt_out: { stop: ["Nix mehr", "???"], start: ["Doch wieder"] } }
    expect(read("nix  MEHR!", config)).toBe(true)
    expect(read("doch wieder", config)).toBe(false)
    expect(read("stop", config)).toBeNull()
    expect(read("???", config)).toBeNull()
  })
  it("is nothing on a connection that knows no words, or whose setting is none", () => {
    expect(read("stop", { opt_out: false })).toBeNull()
    expect(read("stop", { opt_out: { stop: "stop" } })).toBeNull()
  })
})

describe("the setting opt_out", () => {
  const decode = Schema.decodeUnknownEither(OptOutSetting)
  it("is false, or two lists of words", () => {
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
