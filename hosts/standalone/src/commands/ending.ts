import { Cause, Exit, Option } from "effect"
import { CommandFailed } from "./CommandFailed.js"
import { exitCodes } from "./exitCodes.js"
import { printable } from "./printable.js"

/** What a command's end comes to: the exit code, and what stderr says of it; null where there is nothing to say. */
export const endingOf = (
  exit: Exit.Exit<unknown, unknown>
): { readonly code: number; readonly words: string | null } => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) return { code: exitCodes.done, words: null }
  const failure = Option.getOrNull(Cause.failureOption(exit.cause))
  if (failure === null) return { code: exitCodes.failed, words: printable(Cause.pretty(exit.cause)) }
  return {
    code: (failure instanceof CommandFailed && failure.code) || exitCodes.failed,
    words: printable(failure instanceof Error ? failure.message : String(failure))
  }
}
