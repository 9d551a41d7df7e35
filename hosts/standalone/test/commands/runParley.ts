import * as Terminal from "@effect/platform/Terminal"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Console, Effect } from "effect"
import { type CommandLine, runCommandLine } from "../../src/commands/commandLine.js"
import { endingOf } from "../../src/commands/ending.js"
import { parley } from "../../src/commands/parley.js"

/** Exit code and output of a command. */
export interface Outcome {
  readonly code: number
  /** Its stdout. */
  readonly output: string
  /** Its stderr. */
  readonly errors: string
}

/** Runs a command line in this process, at a terminal if one is given. */
export const runParley = (
  message: ReadonlyArray<string>,
  commandLine: CommandLine = parley,
  terminal?: Terminal.Terminal
): Effect.Effect<Outcome> =>
  Effect.gen(function* () {
    const lines: { readonly output: Array<string>; readonly errors: Array<string> } = { output: [], errors: [] }
    const into = (to: Array<string>) => (text: string) => Effect.sync(() => to.push(text))
    const console = yield* Console.consoleWith((real) =>
      Effect.succeed({ ...real, log: into(lines.output), error: into(lines.errors) } as Console.Console)
    )
    const run = runCommandLine(commandLine, message)
    const exit = yield* (terminal === undefined ? run : Effect.provideService(run, Terminal.Terminal, terminal)).pipe(
      Effect.provide(NodeContext.layer),
      Effect.withConsole(console),
      Effect.exit
    )
    const { code, message: reported } = endingOf(exit)
    return {
      code,
      output: lines.output.join("\n"),
      errors: [...lines.errors, ...(reported === null ? [] : [reported])].join("\n")
    }
  })
