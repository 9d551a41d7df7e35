import { WriteStream } from "node:tty"
import { expect, it, vi } from "@effect/vitest"
import { Effect, LogLevel } from "effect"
import * as Logging from "../src/Logging.js"

it.live("escapes control characters in the pretty format", () =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const print = (...texts: ReadonlyArray<unknown>) => void lines.push(texts.join(" "))
    const spies = [
      vi.spyOn(console, "log").mockImplementation(print),
      vi.spyOn(console, "group").mockImplementation(print)
    ]
    yield* Effect.logError("a vendor says\u001b[2J\nlevel=INFO done", new Error("a cause\u001b[2J\rdone")).pipe(
      Effect.annotateLogs({ name: "Ada\u001b[2J\u009b" }),
      Effect.provide(Logging.layer({ logFormat: "pretty", logLevel: LogLevel.Info })),
      Effect.ensuring(Effect.sync(() => spies.forEach((spy) => void spy.mockRestore())))
    )
    const text = lines.join("\n")
    expect(text).toContain("a vendor says\\x1b[2J\\x0alevel=INFO done")
    expect(text).toContain("a cause")
    expect(text).toContain("Ada")
    // The sequences of the logger's own colours end in m.
    const controls = [...text].filter((character) => /\p{Cc}/u.test(character) && character !== "\n")
    const colours = text.split("\u001b[").filter((rest, at) => at > 0 && /^[\d;]*m/.test(rest))
    expect(controls).toEqual(colours.map(() => "\u001b"))
  })
)

it.live.each([
  ["at a terminal", { isTTY: true, noColor: undefined, isColoured: true }],
  ["not with NO_COLOR", { isTTY: true, noColor: "1", isColoured: false }],
  ["not into a pipe", { isTTY: false, noColor: undefined, isColoured: false }]
] as const)("colours the pretty format %s", ([, { isColoured, isTTY, noColor }]) =>
  Effect.gen(function* () {
    const environment = { CI: undefined, FORCE_COLOR: undefined, NO_COLOR: noColor, TERM: "xterm-256color" }
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
    const stdout: WriteStream = Object.assign(Object.create(WriteStream.prototype), { isTTY })
    const lines: Array<string> = []
    const printed = vi.spyOn(console, "log").mockImplementation((...texts) => void lines.push(texts.join(" ")))
    yield* Effect.logInfo("listening").pipe(
      Effect.provide(Logging.layer({ logFormat: "pretty", logLevel: LogLevel.Info }, stdout)),
      Effect.ensuring(Effect.sync(() => void printed.mockRestore())),
      Effect.ensuring(Effect.sync(() => vi.unstubAllEnvs()))
    )
    expect(lines).toEqual([expect.stringContaining("listening")])
    expect(lines[0]?.includes("\u001b[")).toBe(isColoured)
  })
)
