import { aBot, someConnectionId } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { mayStartBot, startedBot } from "../../../src/flows/bots/startedBot.js"
import type { Bot } from "../../../src/model/Bot.js"
import type { Script } from "../../../src/model/Script.js"
import { aScript } from "./scripts.js"

const bot = (number: number, start: Partial<Script["start"]>): Bot =>
  aBot({
    id: `01900000-0000-7000-8000-00000000b00${number}`,
    script: aScript([], { start: { keywords: [], newConversationOn: [], ...start } })
  })
const greeter = bot(1, { newConversationOn: [someConnectionId] })
const demo = bot(2, { keywords: ["Démo", "show me"] })
const other = bot(3, { keywords: ["demo"] })
const bots = [other, demo, greeter]

const write = (body: string, isFirst = false, among: ReadonlyArray<Bot> = bots) =>
  startedBot(among, { body, connectionId: someConnectionId }, isFirst)?.id

describe("a message starts", () => {
  it("the oldest bot with an equal keyword, ignoring case and surrounding punctuation", () => {
    expect(write("demo")).toBe(demo.id)
    expect(write(" »DEMO!« ")).toBe(demo.id)
    expect(write("Show  me")).toBe(demo.id)
  })
  it("no bot whose keyword is a part of it", () => {
    for (const body of ["a demo please", "demos", "", "!", "d".repeat(5_000)]) expect(write(body)).toBeUndefined()
  })
  it("a bot for a customer's first message on its connection, unless another bot's keyword matches", () => {
    expect(write("hello", true)).toBe(greeter.id)
    expect(write("demo", true)).toBe(demo.id)
    expect(write("hello")).toBeUndefined()
    const elsewhere = bot(4, { newConversationOn: ["01900000-0000-7000-8000-00000000c0ff"] })
    expect(write("hello", true, [elsewhere])).toBeUndefined()
  })
  it("no bot whose keyword has only punctuation", () => {
    expect(write("?", false, [bot(5, { keywords: ["!"] })])).toBeUndefined()
  })
})

describe("a message may start", () => {
  it("a bot with keywords on any connection, and a new-conversation bot on its connections", () => {
    expect(mayStartBot([demo], someConnectionId)).toBe(true)
    expect(mayStartBot([greeter], someConnectionId)).toBe(true)
    expect(mayStartBot([greeter], "01900000-0000-7000-8000-00000000c0ff")).toBe(false)
    expect(mayStartBot([bot(6, {})], someConnectionId)).toBe(false)
  })
})
