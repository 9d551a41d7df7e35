/** What the command ends with. */
export const exitCodes = {
  /** Done, or stopped by a signal. */
  done: 0,
  /** Refused, or failed. */
  failed: 1,
  /** Not called as it has to be. */
  misused: 2,
  /** No Parley answers where it was looked for. */
  unreachable: 3
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The same in words, as the help has them. */
export const exitCodeMeanings: ReadonlyArray<readonly [ExitCode, string]> = [
  [exitCodes.done, "Done, or stopped by a signal"],
  [exitCodes.failed, "Refused or failed; stderr says why, with the request's id"],
  [exitCodes.misused, "Not called as it has to be"],
  [exitCodes.unreachable, "No Parley answers where it was looked for"]
]
