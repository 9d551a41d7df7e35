import { Cause, Exit, Option } from "effect"
import { CommandFailed } from "./CommandFailed.js"
import { type ExitCode, exitCodes } from "./exitCodes.js"
import { printable } from "./printable.js"

/** The exit code of a command, and its message on stderr, or null. `interrupted`: the code if a signal stopped it. */
export const endingOf = (
  exit: Exit.Exit<unknown, unknown>,
  interrupted: ExitCode = exitCodes.interrupted
): { readonly code: number; readonly message: string | null } => {
  if (Exit.isSuccess(exit)) return { code: exitCodes.done, message: null }
  if (Cause.isInterruptedOnly(exit.cause)) return { code: interrupted, message: null }
  const failure = Option.getOrNull(Cause.failureOption(exit.cause))
  if (failure === null) return { code: exitCodes.failed, message: printable(Cause.pretty(exit.cause)) }
  return {
    code: (failure instanceof CommandFailed && failure.code) || exitCodes.failed,
    message: printable(failure instanceof Error ? failure.message : String(failure))
  }
}
