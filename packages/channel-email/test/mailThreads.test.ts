import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { InboundEvent } from "@parley/core"
import { Effect, Fiber, Logger } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { MailJob } from "../src/MailJob.js"
import { mailThreads } from "../src/MailThreads.js"
import { aMail } from "./mails.js"

/** A program of a thread that does what the text of a mail says, or answers with it and with what it knows. */
const program = `
import { parentPort, threadId, workerData } from "node:worker_threads"
let poisoned = false
parentPort.on("message", ({ business, raw }) => {
  if (poisoned) process.exit(4)
  const text = Buffer.from(raw).toString()
  if (text === "throw") setTimeout(() => { throw new Error("it threw") })
  else if (text === "exit") process.exit(3)
  else if (text === "loop") for (;;);
  else if (text === "fill") { const all = []; for (;;) all.push(new Array(1_000_000).fill(all)) }
  else if (text !== "hang") {
    poisoned = text === "poison"
    const said = [text, threadId, Object.keys(business).sort().join(), JSON.stringify(process.env)].join(" ")
    parentPort.postMessage([{ _tag: "Unknown", kind: "said", raw: said }])
  }
})
Atomics.store(workerData, 0, 1)
`

let folder = ""
const fileOf = async (name: string, text: string): Promise<URL> => {
  await writeFile(join(folder, name), text)
  return pathToFileURL(join(folder, name))
}
let file: URL
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-threads-"))
  file = await fileOf("program.mjs", program)
})
afterAll(() => rm(folder, { recursive: true }))

const account = {
  address: "hello@bakery.example",
  name: "The Bakery",
  config: { smtp: { host: "localhost" } },
  credentials: { inbound_secret: "secret" }
}
const jobOf = (raw: Uint8Array): MailJob => ({ business: account, raw, now: 0 })
const job = (text: string) => jobOf(Buffer.from(text))
const saidIn = ([event]: ReadonlyArray<InboundEvent>): ReadonlyArray<string> =>
  event?._tag === "Unknown" && event.kind === "said" ? event.raw.split(" ") : []

/** The warnings that an effect logs. */
const warnings = (lines: Array<string>) =>
  Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ message }) => void lines.push(String(message)))
  )

describe("threads that parse mails", () => {
  it("are used again, and get neither credentials nor the environment", async () => {
    const parse = mailThreads({ program: file })
    const raw = Buffer.from("one")
    const first = saidIn(await Effect.runPromise(parse("a", jobOf(raw))))
    expect([first[0], first[2], first[3]]).toEqual(["one", "address,config,name", "{}"])
    expect(raw.toString()).toBe("one")
    const second = saidIn(await Effect.runPromise(parse("b", job("two"))))
    expect(second).toEqual(["two", ...first.slice(1)])
  })

  it.each([
    ["throw", "it threw"],
    ["exit", "its thread ended"],
    ["fill", "memory limit"]
  ])("do not end the process with a mail that ends them: %s", async (text, reason) => {
    const parse = mailThreads({ program: file })
    const lines: Array<string> = []
    const events = await Effect.runPromise(Effect.provide(parse("a", job(text)), warnings(lines)))
    expect(events).toEqual([expect.objectContaining({ _tag: "Unknown", kind: "unreadable", raw: text })])
    expect(lines).toEqual([expect.stringContaining(reason)])
    expect(saidIn(await Effect.runPromise(parse("a", job("next"))))[0]).toBe("next")
  })

  it("parse a mail again in a new thread if an earlier one may have ended its thread", async () => {
    const parse = mailThreads({ program: file })
    const lines: Array<string> = []
    const [, poisoned] = saidIn(await Effect.runPromise(parse("a", job("poison"))))
    const [text, thread] = saidIn(await Effect.runPromise(Effect.provide(parse("b", job("next")), warnings(lines))))
    expect([text, thread !== poisoned, lines]).toEqual(["next", true, []])
    await Effect.runPromise(parse("a", job("poison")))
    const events = await Effect.runPromise(Effect.provide(parse("b", job("throw")), warnings(lines)))
    expect([events.map(({ _tag }) => _tag), lines]).toEqual([["Unknown"], [expect.stringContaining("it threw")]])
  })

  it("end when the caller gives a mail up, also in an endless loop", async () => {
    const parse = mailThreads({ program: file })
    const [, before] = saidIn(await Effect.runPromise(parse("a", job("one"))))
    const fiber = Effect.runFork(parse("a", job("loop")))
    await Effect.runPromise(Effect.yieldNow())
    await Effect.runPromise(Fiber.interrupt(fiber))
    const [text, after] = saidIn(await Effect.runPromise(parse("a", job("two"))))
    expect([text, after !== before]).toEqual(["two", true])
  })

  it("parse mails of other connections while one connection has many that hang", async () => {
    const parse = mailThreads({ program: file })
    const hanging = ["hang", "hang", "hang", "hang"].map((text) => Effect.runFork(parse("a", job(text))))
    await Effect.runPromise(Effect.yieldNow())
    expect(saidIn(await Effect.runPromise(parse("b", job("other"))))[0]).toBe("other")
    await Effect.runPromise(Fiber.interruptAll(hanging))
    expect(saidIn(await Effect.runPromise(parse("a", job("again"))))[0]).toBe("again")
  })

  it("end after an idle time", async () => {
    const parse = mailThreads({ program: file, idleMs: 0 })
    const [, first] = saidIn(await Effect.runPromise(parse("a", job("one"))))
    await new Promise((resume) => setTimeout(resume, 5))
    const [, second] = saidIn(await Effect.runPromise(parse("a", job("two"))))
    expect(second).not.toBe(first)
  })

  it.each([
    ["is missing", "none.mjs", null],
    ["fails", "failing.mjs", `throw new Error("it cannot be loaded")`]
  ])("leave mails to the main thread if their program %s", async (_, name, text) => {
    const parse = mailThreads({ program: text === null ? pathToFileURL(join(folder, name)) : await fileOf(name, text) })
    const lines: Array<string> = []
    for (const id of ["a", "b"]) {
      const events = await Effect.runPromise(Effect.provide(parse(id, jobOf(aMail())), warnings(lines)))
      expect(events).toMatchObject([{ _tag: "Message", body: "Is it ready?" }])
    }
    expect(lines).toEqual([expect.stringMatching(/^no thread could be started, so the main thread parses mails: /)])
  })
})
