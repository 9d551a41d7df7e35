import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { runCommandLine } from "./commands/commandLine.js"
import { endingOf } from "./commands/ending.js"
import { exitCodes } from "./commands/exitCodes.js"
import { parley } from "./commands/parley.js"

// npm sends a signal on that its whole process group got, so that it comes twice: the second must not cut a stop short.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {})

// Whoever reads the output has seen enough of it, as `head` has after ten lines.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error
  process.exit(exitCodes.done)
})

runCommandLine(parley, process.argv.slice(2)).pipe(
  Effect.provide(NodeContext.layer),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    disablePrettyLogger: true,
    // Connections that were kept alive must not hold up the end.
    teardown: (exit) => {
      const { code, words } = endingOf(exit)
      if (words !== null) console.error(words)
      process.exit(code)
    }
  })
)
