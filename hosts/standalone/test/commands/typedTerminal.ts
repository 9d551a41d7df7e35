import type * as Terminal from "@effect/platform/Terminal"
import { Effect, Mailbox, Option, type Scope } from "effect"

/** A terminal with scripted input. */
export interface TypedTerminal extends Terminal.Terminal {
  /** All output so far. */
  readonly shown: () => string
}

const key = (name: string, input: string | null = null, ctrl = false): Terminal.UserInput => ({
  input: Option.fromNullable(input),
  key: { name, ctrl, meta: false, shift: false }
})

/** Ctrl-C, in place of a line. */
export const interruption = Symbol("Ctrl-C")
/** Keys that answer a yes/no prompt without the return key. */
export const yes = Symbol("y")
export const no = Symbol("n")

/** Answers prompts with these lines in order, each ended by the return key. */
export const typedTerminal = (
  ...lines: ReadonlyArray<string | typeof interruption | typeof yes | typeof no>
): Effect.Effect<TypedTerminal, never, Scope.Scope> =>
  Effect.gen(function* () {
    const typed = yield* Mailbox.make<Terminal.UserInput>()
    for (const line of lines) {
      if (line === interruption) yield* typed.end
      else if (line === yes) yield* typed.offer(key("y", "y"))
      else if (line === no) yield* typed.offer(key("n", "n"))
      else yield* typed.offerAll([...[...line].map((letter) => key(letter, letter)), key("return")])
    }
    // The command also checks whether stdin is a terminal.
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        const { isTTY } = process.stdin
        process.stdin.isTTY = true
        return isTTY
      }),
      (isTTY) =>
        Effect.sync(() => {
          process.stdin.isTTY = isTTY
        })
    )
    let shown = ""
    return {
      columns: Effect.succeed(80),
      rows: Effect.succeed(24),
      isTTY: Effect.succeed(true),
      readInput: Effect.succeed(typed),
      readLine: Effect.dieMessage("nothing reads whole lines"),
      display: (text) =>
        Effect.sync(() => {
          shown += text
        }),
      shown: () => shown
    }
  })
