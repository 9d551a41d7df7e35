import { aBot, someConnectionId, someTime } from "@parley/testkit"
import { describe, expect, it } from "vitest"
import type { Bot } from "../../src/bots/Bot.js"
import type { Script } from "../../src/bots/Script.js"
import { couldStart, startedBot } from "../../src/bots/startedBot.js"
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

const old = { createdAt: someTime - 1 }
const write = (body: string, conversation = old, among: ReadonlyArray<Bot> = bots) =>
  startedBot(among, { body, connectionId: someConnectionId, createdAt: someTime }, conversation)?.id

describe("a message starts", () => {
  it("the oldest bot that has it as a keyword, as a whole, whatever its case and what stands around it", () => {
    expect(write("demo")).toBe(demo.id)
    expect(write(" »DEMO!« ")).toBe(demo.id)
    expect(write("Show  me")).toBe(demo.id)
  })
  it("no bot by a part of it", () => {
    for (const body of ["a demo please", "demos", "", "!", "d".repeat(5_000)]) expect(write(body)).toBeUndefined()
  })
  it("a bot of its connection where it begins the conversation, unless it is a keyword of another", () => {
    expect(write("hello", { createdAt: someTime })).toBe(greeter.id)
    expect(write("demo", { createdAt: someTime })).toBe(demo.id)
    expect(write("hello")).toBeUndefined()
    const elsewhere = bot(4, { newConversationOn: ["01900000-0000-7000-8000-00000000c0ff"] })
    expect(write("hello", { createdAt: someTime }, [elsewhere])).toBeUndefined()
  })
  it("no bot by a keyword of nothing but punctuation", () => {
    expect(write("?", old, [bot(5, { keywords: ["!"] })])).toBeUndefined()
  })
})

describe("a message could start", () => {
  it("a bot with keywords anywhere, and one for new conversations on its connections", () => {
    expect(couldStart([demo], someConnectionId)).toBe(true)
    expect(couldStart([greeter], someConnectionId)).toBe(true)
    expect(couldStart([greeter], "01900000-0000-7000-8000-00000000c0ff")).toBe(false)
    expect(couldStart([bot(6, {})], someConnectionId)).toBe(false)
  })
})
