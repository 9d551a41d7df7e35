/** The exit codes. */
export const exitCodes = {
  /** Success, or stopped by a signal. */
  done: 0,
  /** Refused or failed. */
  failed: 1,
  /** Invalid command line. */
  misused: 2,
  /** Connection failed, or the server is not Parley. */
  unreachable: 3
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The meanings of the exit codes, for the help. */
export const exitCodeMeanings: ReadonlyArray<readonly [ExitCode, string]> = [
  [exitCodes.done, "Success, or stopped by a signal"],
  [exitCodes.failed, "Refused or failed; stderr has the reason and the request id"],
  [exitCodes.misused, "Invalid command line"],
  [exitCodes.unreachable, "Connection failed, or the server is not Parley"]
]
