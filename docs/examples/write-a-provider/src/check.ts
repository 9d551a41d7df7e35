import type { CheckOutcome } from "@parley/core"
import { Effect } from "effect"
import type { Sender } from "./sendMessage.js"

/** Reads the sender from Courier. Sends no message. */
export const check = ({ apiKey, apiUrl, sender }: Sender): Effect.Effect<CheckOutcome> =>
  Effect.tryPromise({
    try: async (signal): Promise<CheckOutcome> => {
      const response = await fetch(`${apiUrl}/v1/senders/${encodeURIComponent(sender)}`, {
        redirect: "error",
        signal,
        headers: { authorization: `Bearer ${apiKey}` }
      })
      return response.ok
        ? { _tag: "Working", detail: "Courier knows the sender and takes the API key." }
        : {
            _tag: "Failing",
            problem: "Courier does not take the API key for this sender. Compare both with its dashboard."
          }
    },
    catch: (): CheckOutcome => ({ _tag: "Failing", problem: "Courier cannot be reached from here." })
  }).pipe(Effect.merge)
