import { Data } from "effect"
import type { ApiError } from "./ApiError.js"
import type { ExitCode } from "./exitCodes.js"

/** The command failed; `message` is the reason for the user. The exit code is `code`, 1 if absent. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  readonly message: string
  readonly code?: ExitCode
  /** The error of the API, if the API refused the request. */
  readonly refused?: ApiError
}> {}
