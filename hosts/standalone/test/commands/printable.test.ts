import { writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { parse } from "yaml"
import { yamlText } from "../../src/commands/definitions/yamlText.js"
import { isActing, printable } from "../../src/commands/printable.js"
import { temporaryFolder } from "../processes.js"
import { runParley } from "./runParley.js"

/** Control characters: clear the screen, carriage return, right-to-left override. */
const nasty = "\u001b[2J\u009b2J\rx\u202ey\u0007"
const shown = "\\u001b[2J\\u009b2J\\u000dx\\u202ey\\u0007"

/** A server with this response to every request. */
const answering = (status: number, answer: unknown) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer((_, response) => response.writeHead(status).end(JSON.stringify(answer)))
      server.listen(0, "127.0.0.1", () => {
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        resume(Effect.succeed({ url, close: () => server.close().closeAllConnections() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

it("escapes control characters, and keeps the value of JSON", () => {
  expect(printable(nasty)).toBe(shown)
  expect(printable("Grüße 🎉\r\n\tan alle")).toBe("Grüße 🎉\r\n\tan alle")
  expect(JSON.parse(printable(JSON.stringify({ nasty })))).toEqual({ nasty })
})

it("keeps the value of printed YAML", () => {
  const value = { id: "x\u009by", name: `a\n${nasty}\nb`, text: "\u2068Ada\u2069", plain: "two\nlines" }
  const text = printable(yamlText(value))
  expect(parse(text)).toEqual(value)
  expect(text).toContain("plain: |-\n  two\n")
})

it.scopedLive("prints no control characters of a response", () =>
  Effect.gen(function* () {
    const workflow = { id: nasty, name: nasty, trigger: nasty, actions: [{ message: `${nasty}\n${nasty}` }] }
    const list = { data: [workflow], meta: { has_more: false }, links: { next: null } }
    const refused = { error: { code: nasty, message: nasty, details: { [nasty]: [nasty] }, request_id: nasty } }
    const lines: ReadonlyArray<readonly [status: number, answer: unknown, commandLine: string]> = [
      [200, { data: workflow }, "workflow show 0190a1b2-0000-7000-8000-000000000001"],
      [200, { data: workflow }, "bot show 0190a1b2-0000-7000-8000-000000000001"],
      [200, { data: workflow }, "app show app --json"],
      [200, list, "workflow list"],
      [200, list, "workflow list --json"],
      [422, refused, "workflow list"]
    ]
    for (const [status, answer, message] of lines) {
      const { url } = yield* answering(status, answer)
      const { errors, output } = yield* runParley([...message.split(" "), "--server", url, "--token", "t"])
      expect([message, (output + errors).length > 40, isActing(output + errors)]).toEqual([message, true, false])
    }
  })
)

it.scopedLive("prints no control characters of a file or a command line", () =>
  Effect.gen(function* () {
    const path = join(yield* temporaryFolder, "workflow.yaml")
    yield* Effect.promise(() => writeFile(path, JSON.stringify({ [nasty]: 1 })))
    const target = ["--server", "http://127.0.0.1:9", "--token", "t", "--workspace", "w"]
    for (const message of [
      ["workflow", "validate", path],
      ["workflow", nasty],
      ["bot", "list", nasty]
    ]) {
      const { errors } = yield* runParley([...message, ...target])
      expect([message, errors.includes("\\u001b[2J"), isActing(errors)]).toEqual([message, true, false])
    }
  })
)
