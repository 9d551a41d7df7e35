#!/usr/bin/env node
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer } from "effect"
import { runCommandLine } from "./commands/commandLine.js"
import { endingOf } from "./commands/ending.js"
import { exitCodes } from "./commands/exitCodes.js"
import { parley } from "./commands/parley.js"
import { plainTerminal } from "./commands/plainTerminal.js"
import { sourceStack } from "./sourceStack.js"

Error.prepareStackTrace = sourceStack

// npm forwards a signal that its whole process group received, so that it arrives twice: the second one must not abort
// the shutdown.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {})

// The reader closed the pipe, as `head` does after ten lines.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error
  process.exit(exitCodes.done)
})

// Node says that a terminal has no colours if `NO_COLOR` is set.
const context =
  process.stdout.isTTY && process.stdout.hasColors()
    ? NodeContext.layer
    : Layer.merge(NodeContext.layer, Layer.provide(plainTerminal, NodeContext.layer))

runCommandLine(parley, process.argv.slice(2)).pipe(
  Effect.provide(context),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    disablePrettyLogger: true,
    // Open keep-alive connections must not delay the exit.
    teardown: (exit) => {
      const { code, message } = endingOf(exit)
      if (message !== null) console.error(message)
      process.exit(code)
    }
  })
)
