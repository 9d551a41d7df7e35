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
