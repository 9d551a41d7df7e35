import { Cause, Effect, Option } from "effect"

/**
 * Logs why a round of a loop failed that goes on. What is not an error of the round, such as a defect, is logged whole.
 */
export const logFailure = (text: string, cause: Cause.Cause<{ readonly message: string }>): Effect.Effect<void> => {
  const error = Cause.failureOption(cause)
  return Option.isSome(error) ? Effect.logWarning(`${text}: ${error.value.message}`) : Effect.logError(text, cause)
}
