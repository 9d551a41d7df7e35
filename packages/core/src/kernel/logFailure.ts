import { Cause, Effect, Option } from "effect"

/** Logs the failure of one iteration of a loop that goes on: an error as a warning, a defect with its cause. */
export const logFailure = (text: string, cause: Cause.Cause<{ readonly message: string }>): Effect.Effect<void> => {
  const error = Cause.failureOption(cause)
  return Option.isSome(error) ? Effect.logWarning(`${text}: ${error.value.message}`) : Effect.logError(text, cause)
}
