import { Data } from "effect"
import type { ApiError } from "./ApiError.js"
import type { ExitCode } from "./exitCodes.js"

/**
 * A command could not do what it was asked to; `message` says why, for whoever typed it. The command ends with `code`, 1 where
 * there is none.
 */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  readonly message: string
  readonly code?: ExitCode
  /** What the API said, where it was the API that refused. */
  readonly refused?: ApiError
}> {}
