import { CliConfig, Command, ValidationError } from "@effect/cli"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Effect, Exit } from "effect"
import { parley } from "./commands/parley.js"

const run = Command.run(parley, { name: "parley", version: "0.1.0" })

/** 0: done, or stopped by a signal. 1: refused or failed. 2: not called as it has to be. */
const codeOf = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) return 0
  const failure = Cause.failureOption(exit.cause)
  return failure._tag === "Some" && ValidationError.isValidationError(failure.value) ? 2 : 1
}

const told = (cause: Cause.Cause<unknown>) => {
  const failure = Cause.failureOption(cause)
  if (failure._tag === "None") return Cause.isInterruptedOnly(cause) ? Effect.void : Console.error(Cause.pretty(cause))
  // The command line has told about these itself.
  if (ValidationError.isValidationError(failure.value)) return Effect.void
  return Console.error(failure.value instanceof Error ? failure.value.message : String(failure.value))
}

// npm sends a signal on that its whole process group got, so that it comes twice: the second must not cut a stop short.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {})

Effect.suspend(() => run(process.argv)).pipe(
  Effect.tapErrorCause(told),
  Effect.provide(NodeContext.layer),
  Effect.provide(CliConfig.layer({ showBuiltIns: false })),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    disablePrettyLogger: true,
    // Connections that were kept alive must not hold up the end.
    teardown: (exit) => process.exit(codeOf(exit))
  })
)
