/** The exit codes. */
export const exitCodes = {
  /** Success; also of a command that runs until a signal stops it. */
  done: 0,
  /** Refused or failed. */
  failed: 1,
  /** Invalid command line. */
  misused: 2,
  /** Connection failed, or the server is not Parley. */
  unreachable: 3,
  /** Stopped by `SIGINT` (Ctrl-C) before its end. */
  interrupted: 130,
  /** Stopped by `SIGTERM` before its end. */
  terminated: 143
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The meanings of the exit codes, for the help. */
export const exitCodeMeanings: ReadonlyArray<readonly [ExitCode, string]> = [
  [exitCodes.done, "Success; also of a command that runs until a signal stops it"],
  [exitCodes.failed, "Refused or failed; stderr has the reason and the request id"],
  [exitCodes.misused, "Invalid command line"],
  [exitCodes.unreachable, "Connection failed, or the server is not Parley"],
  [exitCodes.interrupted, "Stopped by Ctrl-C before its end"],
  [exitCodes.terminated, "Stopped by SIGTERM before its end"]
]
