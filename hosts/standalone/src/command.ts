import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer } from "effect"
import { CommandLifetime, type Lifetime } from "./commands/CommandLifetime.js"
import { runCommandLine } from "./commands/commandLine.js"
import { endingOf } from "./commands/ending.js"
import { type ExitCode, exitCodes } from "./commands/exitCodes.js"
import { notWritten } from "./commands/notWritten.js"
import { parley } from "./commands/parley.js"
import { plainTerminal } from "./commands/plainTerminal.js"
import { sourceStack } from "./sourceStack.js"

Error.prepareStackTrace = sourceStack

let lifetime: Lifetime = "work"
let interrupted: ExitCode = exitCodes.interrupted

// npm forwards a signal that its whole process group received, so that it arrives twice: the second one must not abort
// the shutdown.
process.on("SIGINT", () => {})
process.on("SIGTERM", () => {
  interrupted = exitCodes.terminated
})

let unwritten: Error | null = null

// The reader closed the pipe, as `head` does after ten lines. A host stops as at SIGTERM, with the exit code of a
// failure. More lines of its log fail until it ends. A full disk costs it lines of the log only. Other commands are
// interrupted by it, as by the signal, and fail.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") {
    if (lifetime === "host" || unwritten !== null) return
    unwritten = error
    process.emit("SIGTERM", "SIGTERM")
    return
  }
  if (lifetime !== "host") process.exit(exitCodes.done)
  if (process.exitCode !== undefined) return
  process.exitCode = exitCodes.failed
  process.kill(process.pid, "SIGTERM")
})

/** Waits until the output is written. A host does not wait for the reader of its log. */
const written = Effect.suspend(() =>
  lifetime === "host"
    ? Effect.void
    : Effect.async<void>((resume) => {
        // The stream's event reports an error.
        process.stdout.write("", (error) => error || resume(Effect.void))
      })
)

// Node says that a terminal has no colours if `NO_COLOR` is set.
const context =
  process.stdout.isTTY && process.stdout.hasColors()
    ? NodeContext.layer
    : Layer.merge(NodeContext.layer, Layer.provide(plainTerminal, NodeContext.layer))

runCommandLine(parley, process.argv.slice(2)).pipe(
  Effect.exit,
  Effect.zipLeft(written),
  Effect.flatten,
  Effect.provide(context),
  Effect.provideService(CommandLifetime, (present) => {
    lifetime = present
  }),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    disablePrettyLogger: true,
    // Open keep-alive connections must not delay the exit.
    teardown: (exit) => {
      const { code, message } =
        unwritten === null
          ? endingOf(exit, lifetime === "work" ? interrupted : exitCodes.done)
          : { code: exitCodes.failed, message: notWritten(unwritten) }
      if (message !== null) console.error(message)
      process.exit(code === exitCodes.done ? process.exitCode : code)
    }
  })
)
